import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { toErrorBody } from '@atrium/service-kit/http/http-errors';
import { parseRequest } from '@atrium/service-kit/http/parse-request';
import { findSlowness } from '@atrium/tools/patterns/analyze-pattern';
import { readSourcePatterns } from '@atrium/tools/patterns/check-patterns';
import { buildInput, createPumps, type Pump } from '@atrium/tools/patterns/pumps';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { sampleInputs } from './sample-input.ts';

const LIMIT_MS = 50;
/** The length for fields without a bound: the body limit of anonymous calls. */
const DEFAULT_LENGTH = 16_000;

type JsonSchema = {
  pattern?: string;
  maxLength?: number;
  properties?: Record<string, JsonSchema>;
  [key: string]: unknown;
};

const LOCATIONS = ['params', 'query', 'body'] as const;
const requests = ALL_ENDPOINTS.map(({ endpoint }) => endpoint).flatMap((call) => [
  call,
  ...('multipart' in call && call.multipart ? [{ ...call, body: call.multipart }] : []),
]);
const describeSchema = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

/** Worst-case texts for the patterns of contracts, as units to repeat. */
const PUMPS: Pump[] = [
  ...new Map(
    readSourcePatterns()
      .filter(({ file }) => file.startsWith('proto-events/'))
      .flatMap((pattern) => ('source' in pattern ? createPumps(pattern.source, pattern.flags) : []))
      .filter(({ suffix }) => suffix === '')
      .map((pump) => [JSON.stringify(pump), pump]),
  ).values(),
];

const texts = new Map<string, string>();

function getText(pump: Pump, length: number): string {
  const key = `${length} ${JSON.stringify(pump)}`;
  const text = texts.get(key) ?? buildInput(pump, length).slice(0, length);
  texts.set(key, text);
  return text;
}

/** Lists every pattern of a JSON schema, including those of zod. */
function listPatterns(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'pattern' in value && typeof value.pattern === 'string' ? [value.pattern] : [];
  return [...own, ...Object.values(value).flatMap(listPatterns)];
}

const listSchemas = (call: (typeof requests)[number]) => LOCATIONS.flatMap((location) => call[location] ?? []);
const allPatterns = new Set(requests.flatMap(listSchemas).flatMap((schema) => listPatterns(describeSchema(schema))));

/** Returns the lowest CPU time of three runs, measured for this thread. */
function measureCpuMs(run: () => void): number {
  let lowestMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && lowestMs >= LIMIT_MS; round += 1) {
    const start = process.threadCpuUsage();
    run();
    lowestMs = Math.min(lowestMs, process.threadCpuUsage(start).user / 1000);
  }
  return lowestMs;
}

function parse(call: (typeof requests)[number], values: object): void {
  try {
    parseRequest(call, values);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    JSON.stringify(toErrorBody(error));
  }
}

/** Lists the fields that are slow for some text. */
function findSlowFields(
  call: (typeof requests)[number],
  location: (typeof LOCATIONS)[number],
  schema: z.ZodType,
): string[] {
  const { properties = {} } = describeSchema(schema);
  const samples = Object.fromEntries(LOCATIONS.map((part) => [part, call[part] && sampleInputs(call[part])[0]]));
  return sampleInputs(schema).flatMap((sample) =>
    Object.entries(sample).flatMap(([field, value]) => {
      const isList = Array.isArray(value) && typeof value[0] === 'string';
      if (typeof value !== 'string' && !isList) return [];
      const length = Math.min(properties[field]?.maxLength ?? DEFAULT_LENGTH, DEFAULT_LENGTH);
      return PUMPS.flatMap((pump) => {
        const text = getText(pump, length);
        const values = { ...samples, [location]: { ...sample, [field]: isList ? [text] : text } };
        const ms = measureCpuMs(() => parse(call, values));
        return ms < LIMIT_MS ? [] : [`${location}.${field} = repeated ${JSON.stringify(pump)}: ${Math.round(ms)} ms`];
      });
    }),
  );
}

describe('the worst-case text for each field', () => {
  it.each(
    requests
      .filter((call) => listSchemas(call).length > 0)
      .map((call) => [`${call.method} ${call.path}`, call] as const),
  )('costs less than 50 ms: %s', (_name, call) => {
    const slow = LOCATIONS.flatMap((location) =>
      call[location] ? findSlowFields(call, location, call[location]) : [],
    );
    expect(slow).toEqual([]);
  });

  it('matches every pattern, of contracts or of zod, in linear time', () => {
    expect(allPatterns.size).toBeGreaterThan(5);
    expect([...allPatterns].filter((pattern) => findSlowness(pattern, 'u') !== undefined)).toEqual([]);
  });
});
