import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { toErrorBody } from '@atrium/service-kit/http/http-errors';
import { parseRequest } from '@atrium/service-kit/http/parse-request';
import { findSlowness } from '@atrium/tools/patterns/analyze-pattern';
import { readSourcePatterns } from '@atrium/tools/patterns/check-patterns';
import { inflate, type Pump, pumpsOf } from '@atrium/tools/patterns/pumps';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { sampleInputs } from './sample-input.ts';

const LIMIT_MS = 50;
/** For fields without a bound: the body limit of anonymous calls. */
const UNBOUNDED = 16_000;

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

/** Worst-case texts for the patterns of contracts. */
const WORST_TEXTS: Pump[] = [
  ...new Map(
    readSourcePatterns()
      .filter(({ file }) => file.startsWith('proto-events/'))
      .flatMap((found) => ('source' in found ? pumpsOf(found.source, found.flags) : []))
      .filter(({ suffix }) => suffix === '')
      .map((pump) => [JSON.stringify(pump), pump]),
  ).values(),
];

const texts = new Map<string, string>();

function textOf(pump: Pump, length: number): string {
  const key = `${length} ${JSON.stringify(pump)}`;
  const text = texts.get(key) ?? inflate(pump, length).slice(0, length);
  texts.set(key, text);
  return text;
}

/** Every pattern of a schema, including zod's own. */
function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'pattern' in value && typeof value.pattern === 'string' ? [value.pattern] : [];
  return [...own, ...Object.values(value).flatMap(patternsIn)];
}

const schemasOf = (call: (typeof requests)[number]) => LOCATIONS.flatMap((location) => call[location] ?? []);
const allPatterns = new Set(requests.flatMap(schemasOf).flatMap((schema) => patternsIn(describeSchema(schema))));

/** CPU time of this thread, best of three. */
function cpuMs(run: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && best >= LIMIT_MS; round += 1) {
    const start = process.threadCpuUsage();
    run();
    best = Math.min(best, process.threadCpuUsage(start).user / 1000);
  }
  return best;
}

function parse(call: (typeof requests)[number], values: object): void {
  try {
    parseRequest(call, values);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    JSON.stringify(toErrorBody(error));
  }
}

/** The fields that are slow for some text. */
function findSlowFields(
  call: (typeof requests)[number],
  location: (typeof LOCATIONS)[number],
  schema: z.ZodType,
): string[] {
  const { properties = {} } = describeSchema(schema);
  const samples = Object.fromEntries(LOCATIONS.map((one) => [one, call[one] && sampleInputs(call[one])[0]]));
  return sampleInputs(schema).flatMap((sample) =>
    Object.entries(sample).flatMap(([field, value]) => {
      const isList = Array.isArray(value) && typeof value[0] === 'string';
      if (typeof value !== 'string' && !isList) return [];
      const length = Math.min(properties[field]?.maxLength ?? UNBOUNDED, UNBOUNDED);
      return WORST_TEXTS.flatMap((pump) => {
        const text = textOf(pump, length);
        const values = { ...samples, [location]: { ...sample, [field]: isList ? [text] : text } };
        const ms = cpuMs(() => parse(call, values));
        return ms < LIMIT_MS ? [] : [`${location}.${field} = repeated ${JSON.stringify(pump)}: ${Math.round(ms)} ms`];
      });
    }),
  );
}

describe('the worst-case text for each field', () => {
  it.each(
    requests.filter((call) => schemasOf(call).length > 0).map((call) => [`${call.method} ${call.path}`, call] as const),
  )('costs less than 50 ms: %s', (_name, call) => {
    const slow = LOCATIONS.flatMap((location) =>
      call[location] ? findSlowFields(call, location, call[location]) : [],
    );
    expect(slow).toEqual([]);
  });

  it('reveals no pattern, of a schema or of zod, that takes more than linear time', () => {
    expect(allPatterns.size).toBeGreaterThan(5);
    expect([...allPatterns].filter((pattern) => findSlowness(pattern, 'u') !== undefined)).toEqual([]);
  });
});
