import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { compileSerializer, type Serializer } from './compile-serializer.ts';

const LEAK = 'of nobody’s business';

const junk = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(LEAK, [LEAK], { [LEAK]: LEAK, _id: LEAK, name: { text: LEAK } }, Number.NaN, undefined),
);
const unknownFields = fc.dictionary(fc.constantFrom('passwordHash', '__v', 'constructor', 'toString', 'length'), junk);

const TEXTS: Record<string, fc.Arbitrary<string>> = {
  datetime: fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString()),
  date: fc
    .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  uuid: fc.uuid(),
  regex: fc.stringMatching(/^[0-9a-f]{24}$/),
};
const characters = fc.constantFrom('a', '"', '\\', '\n', '\u2028', '\ud800', 'é', '😀', '<', '\u0000');
const textUpTo = (length: number) =>
  fc.string({ unit: characters, minLength: 1, maxLength: 12 }).filter((text) => text.length <= length);

type Tree = { name: string; parts: Tree[] };
const tree: z.ZodType<Tree> = z.object({ name: z.string(), parts: z.lazy(() => z.array(tree)) });

function valuesOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const { _zod: known } = schema as z.core.$ZodTypes;
  const { def } = known;
  switch (def.type) {
    case 'string':
      return TEXTS[formatOf(schema) ?? ''] ?? textUpTo(longestOf(schema));
    case 'boolean':
      return fc.boolean();
    case 'number':
      return fc.integer({ min: 1, max: 100 });
    case 'enum':
    case 'literal':
      return fc.constantFrom(...(known.values ?? []));
    case 'nullable':
      return fc.option(valuesOf(def.innerType), { nil: null });
    case 'optional':
      return fc.option(valuesOf(def.innerType), { nil: undefined });
    case 'unknown':
      return fc.jsonValue();
    case 'array':
      return fc.array(valuesOf(def.element), { maxLength: 3 });
    case 'record':
      return fc.dictionary(fc.constantFrom('auth', 'users', 'chat'), valuesOf(def.valueType));
    case 'object': {
      const named = fc.record(Object.fromEntries(Object.entries(def.shape).map(([name, of]) => [name, valuesOf(of)])));
      return fc.tuple(unknownFields, named).map(([unknown, fields]) => ({ ...unknown, ...fields }));
    }
    default:
      throw new Error(`No arbitrary for ${def.type}`);
  }
}

function formatOf(schema: z.core.$ZodType): string | undefined {
  return rulesOf(schema)
    .map((rule) => ('format' in rule ? String(rule.format) : undefined))
    .find(Boolean);
}

/** Maximum length of a string, in UTF-16 code units. */
function longestOf(schema: z.core.$ZodType): number {
  const limits = rulesOf(schema).map((rule) => ('maximum' in rule ? Number(rule.maximum) : Number.POSITIVE_INFINITY));
  return Math.min(...limits);
}

const rulesOf = ({ _zod: { def } }: z.core.$ZodType) => [def, ...(def.checks ?? []).map(({ _zod }) => _zod.def)];

function kindOf(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const isByRule = def.checks?.some(({ _zod }) => _zod.def.check === 'custom');
  if (def.type === 'string' && !isByRule) return z.string();
  if (def.type === 'number') return z.number();
  if (def.type === 'nullable') return z.nullable(kindOf(def.innerType));
  if (def.type === 'optional') return z.optional(kindOf(def.innerType));
  if (def.type === 'array') return z.array(kindOf(def.element));
  if (def.type !== 'object') return schema;
  return z.object(Object.fromEntries(Object.entries(def.shape).map(([name, of]) => [name, kindOf(of)])));
}

function byZod(schema: z.core.$ZodType, value: unknown): string | undefined {
  const parsed = z.safeParse(schema, value);
  return parsed.success ? JSON.stringify(parsed.data) : undefined;
}

function writtenBy(write: Serializer, value: unknown): string | undefined {
  try {
    return write(value);
  } catch {
    return undefined;
  }
}

type Place = { within: Record<string, unknown>; name: string };

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const within = value as Record<string, unknown>;
  return Object.keys(within).flatMap((name) => [{ within, name }, ...placesIn(within[name])]);
}

function spoil(value: unknown, nth: number, other: unknown): unknown {
  const copy: unknown = structuredClone(value);
  const places = placesIn(copy);
  const place = places[nth % places.length];
  if (place) place.within[place.name] = other;
  return copy;
}

const answers = ALL_ENDPOINTS.flatMap(({ endpoint: { method, path, response } }) =>
  response ? [{ call: `${method} ${path}`, response }] : [],
);

describe('compileSerializer', () => {
  it.each(answers)("matches zod's output for $call", ({ response }) => {
    const write = compileSerializer(response);
    fc.assert(
      fc.property(valuesOf(response), (value) => {
        const expected = byZod(response, value);
        expect(expected).toBeDefined();
        expect(write(value)).toBe(expected);
      }),
      { numRuns: 15 },
    );
  });

  it.each(answers)('rejects a value of another type in $call, without leaking fields', ({ response }) => {
    const write = compileSerializer(response);
    const kind = kindOf(response);
    fc.assert(
      fc.property(valuesOf(response), fc.nat(), junk, (value, nth, other) => {
        const spoilt = spoil(value, nth, other);
        expect(writtenBy(write, spoilt)).toBe(byZod(kind, spoilt));
      }),
      { numRuns: 30 },
    );
  });
});

describe('compileSerializer with other schemas', () => {
  const schemas: [string, z.ZodType, unknown[]][] = [
    [
      'a union',
      z.union([z.object({ a: z.string() }), z.array(z.number())]),
      [{ a: 'x', [LEAK]: LEAK }, [1], { b: LEAK }],
    ],
    ['a text that is rewritten', z.object({ a: z.string().trim().toLowerCase() }), [{ a: ' X ' }, { a: 1 }]],
    ['a default', z.object({ a: z.string().default('b') }), [{}, { a: 'c' }, { a: 1 }]],
    ['a number made of a text', z.object({ a: z.coerce.number() }), [{ a: '5' }, { a: 'x' }]],
    ['an address', z.object({ a: z.url() }), [{ a: ' https://example.org ' }, { a: 'x' }]],
    ['an object that may have more', z.looseObject({ a: z.string() }), [{ a: 'x', b: 1 }, { b: 1 }]],
    ['an object that may have no more', z.strictObject({ a: z.string() }), [{ a: 'x' }, { a: 'x', b: LEAK }]],
    ['a record', z.record(z.string(), z.object({ a: z.string() })), [{ x: { a: 'x', [LEAK]: LEAK } }, { x: 1 }]],
    [
      'what holds itself',
      tree,
      [{ name: 'a', [LEAK]: LEAK, parts: [{ name: 'b', parts: [], [LEAK]: LEAK }] }, { name: 'a' }],
    ],
  ];
  it.each(schemas)('delegates %s to zod', (_what, schema, values) => {
    const write = compileSerializer(schema);
    for (const value of values) expect(writtenBy(write, value)).toBe(byZod(schema, value));
  });
});
