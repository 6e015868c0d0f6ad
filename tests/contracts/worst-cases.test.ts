import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { AppError } from '@atrium/service-kit/http/app-error';
import { errorAnswer } from '@atrium/service-kit/http/http-errors';
import { parseRequest } from '@atrium/service-kit/http/parse-request';
import { findSlowness } from '@atrium/tools/patterns/judge-pattern';
import { inflate, type Pump, pumpsOf } from '@atrium/tools/patterns/pumps';
import { readSourcePatterns } from '@atrium/tools/patterns/source-files';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { sampleInputs } from './sample-input.ts';

const LIMIT_MS = 50;
/** Of a field that has no bound of its own: what the body of anybody may have. */
const UNBOUNDED = 16_000;

type JsonSchema = {
  pattern?: string;
  maxLength?: number;
  properties?: Record<string, JsonSchema>;
  [key: string]: unknown;
};

const PLACES = ['params', 'query', 'body'] as const;
const requests = ALL_ENDPOINTS.map(({ endpoint }) => endpoint).flatMap((call) => [
  call,
  ...('multipart' in call && call.multipart ? [{ ...call, body: call.multipart }] : []),
]);
const describeSchema = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

/** Texts that would be the worst for some pattern of a contract. */
const PUMPS: Pump[] = [
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

/** Every pattern that a schema has, also those that the validator brings. */
function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'pattern' in value && typeof value.pattern === 'string' ? [value.pattern] : [];
  return [...own, ...Object.values(value).flatMap(patternsIn)];
}

const schemasOf = (call: (typeof requests)[number]) => PLACES.flatMap((place) => call[place] ?? []);
const allPatterns = new Set(requests.flatMap(schemasOf).flatMap((schema) => patternsIn(describeSchema(schema))));

/** Processor time of the best of three, of this thread alone. */
function cost(run: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && best >= LIMIT_MS; round += 1) {
    const start = process.threadCpuUsage();
    run();
    best = Math.min(best, process.threadCpuUsage(start).user / 1000);
  }
  return best;
}

function parse(call: (typeof requests)[number], given: object): void {
  try {
    parseRequest(call, given);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    JSON.stringify(errorAnswer(error));
  }
}

/** The fields of a place that are slow for some text. */
function slowFields(call: (typeof requests)[number], place: (typeof PLACES)[number], schema: z.ZodType): string[] {
  const { properties = {} } = describeSchema(schema);
  const samples = Object.fromEntries(PLACES.map((one) => [one, call[one] && sampleInputs(call[one])[0]]));
  return sampleInputs(schema).flatMap((sample) =>
    Object.entries(sample).flatMap(([field, value]) => {
      const isList = Array.isArray(value) && typeof value[0] === 'string';
      if (typeof value !== 'string' && !isList) return [];
      const length = Math.min(properties[field]?.maxLength ?? UNBOUNDED, UNBOUNDED);
      return PUMPS.flatMap((pump) => {
        const text = textOf(pump, length);
        const given = { ...samples, [place]: { ...sample, [field]: isList ? [text] : text } };
        const ms = cost(() => parse(call, given));
        return ms < LIMIT_MS ? [] : [`${place}.${field} = many of ${JSON.stringify(pump)}: ${Math.round(ms)} ms`];
      });
    }),
  );
}

describe('the worst text for each field', () => {
  it.each(
    requests.filter((call) => schemasOf(call).length > 0).map((call) => [`${call.method} ${call.path}`, call] as const),
  )('costs less than 50 ms: %s', (_name, call) => {
    const slow = PLACES.flatMap((place) => (call[place] ? slowFields(call, place, call[place]) : []));
    expect(slow).toEqual([]);
  });

  it('finds no pattern of a schema, or of the validator itself, that takes more than linear time', () => {
    expect(allPatterns.size).toBeGreaterThan(5);
    expect([...allPatterns].filter((pattern) => findSlowness(pattern, 'u') !== undefined)).toEqual([]);
  });
});
