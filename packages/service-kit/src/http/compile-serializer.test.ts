import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { userSummary } from '@atrium/proto-events/people';
import { isUserRef, people } from '@atrium/proto-events/people-once';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { compileSerializer, type Serializer } from './compile-serializer.ts';

const LEAK = 'private';

const arbitraryValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(LEAK, [LEAK], { [LEAK]: LEAK, _id: LEAK, name: { text: LEAK } }, Number.NaN, undefined),
);
const unknownFields = fc.dictionary(
  fc.constantFrom('passwordHash', '__v', 'constructor', 'toString', 'length'),
  arbitraryValue,
);

const STRINGS_BY_FORMAT: Record<string, fc.Arbitrary<string>> = {
  datetime: fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString()),
  date: fc
    .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  uuid: fc.uuid(),
};
const characters = fc.constantFrom('a', '"', '\\', '\n', '\u2028', '\ud800', 'é', '😀', '<', '\u0000');
const stringUpTo = (length: number) =>
  fc.string({ unit: characters, minLength: 1, maxLength: 12 }).filter((text) => text.length <= length);

type Tree = { name: string; parts: Tree[] };
const tree: z.ZodType<Tree> = z.object({ name: z.string(), parts: z.lazy(() => z.array(tree)) });

function valuesFor(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const { _zod: internals } = schema as z.core.$ZodTypes;
  const { def } = internals;
  switch (def.type) {
    case 'string':
      return stringsFor(schema);
    case 'boolean':
      return fc.boolean();
    case 'number':
      return fc.integer({ min: 1, max: 100 });
    case 'enum':
    case 'literal':
      return fc.constantFrom(...(internals.values ?? []));
    case 'nullable':
      return fc.option(valuesFor(def.innerType), { nil: null });
    case 'optional':
      return fc.option(valuesFor(def.innerType), { nil: undefined });
    case 'template_literal':
      return fc.stringMatching(internals.pattern as RegExp);
    case 'union':
      return fc.oneof(...def.options.map(valuesFor));
    case 'unknown':
      return fc.jsonValue();
    case 'array':
      return fc.array(valuesFor(def.element), { maxLength: 3 });
    case 'record':
      return fc.dictionary(fc.constantFrom('auth', 'users', 'chat'), valuesFor(def.valueType));
    case 'object': {
      // References are serialized from whole users.
      const shape = isUserRef(schema) ? { ...userSummary.shape, ...def.shape } : def.shape;
      const knownFields = fc.record(
        Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, valuesFor(field)])),
      );
      return fc.tuple(unknownFields, knownFields).map(([unknown, fields]) => ({ ...unknown, ...fields }));
    }
    default:
      throw new Error(`No arbitrary for ${def.type}`);
  }
}

function stringsFor(schema: z.core.$ZodType): fc.Arbitrary<string> {
  const rules = listRules(schema);
  const format = rules.map((rule) => ('format' in rule ? String(rule.format) : undefined)).find(Boolean);
  if (format === undefined) return stringUpTo(findMaxLength(schema));
  const pattern = rules.map((rule) => ('pattern' in rule ? rule.pattern : undefined)).find(Boolean);
  return STRINGS_BY_FORMAT[format] ?? fc.stringMatching(pattern as RegExp);
}

/** Returns the maximum length of a string, in UTF-16 code units. */
function findMaxLength(schema: z.core.$ZodType): number {
  const limits = listRules(schema).map((rule) => ('maximum' in rule ? Number(rule.maximum) : Number.POSITIVE_INFINITY));
  return Math.min(...limits);
}

const listRules = ({ _zod: { def } }: z.core.$ZodType) => [def, ...(def.checks ?? []).map(({ _zod }) => _zod.def)];

function withoutConstraints(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const hasCustomCheck = def.checks?.some(({ _zod }) => _zod.def.check === 'custom');
  if (def.type === 'string' && !hasCustomCheck) return z.string();
  if (def.type === 'number') return z.number();
  if (def.type === 'nullable') return z.nullable(withoutConstraints(def.innerType));
  if (def.type === 'optional') return z.optional(withoutConstraints(def.innerType));
  if (def.type === 'array') return z.array(withoutConstraints(def.element));
  if (def.type !== 'object') return schema;
  return z.object(
    Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, withoutConstraints(field)])),
  );
}

function serializeWithZod(schema: z.core.$ZodType, value: unknown): string | undefined {
  const parsed = z.safeParse(schema, value);
  return parsed.success ? JSON.stringify(parsed.data) : undefined;
}

type Fields = Record<string, unknown>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists the users that the value refers to. */
function listUsers(schema: z.core.$ZodType, value: unknown): Fields[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (schema === people) return [];
  if (isUserRef(schema)) return isRecord(value) ? [value] : [];
  if (def.type === 'nullable' || def.type === 'optional') return listUsers(def.innerType, value);
  if (def.type === 'array') return Array.isArray(value) ? value.flatMap((item) => listUsers(def.element, item)) : [];
  if (def.type !== 'object' || !isRecord(value)) return [];
  return Object.entries(def.shape).flatMap(([name, field]) => listUsers(field, value[name]));
}

/** Adds the field `people`, which the serializer collects. */
function withPeople(schema: z.core.$ZodType, value: unknown): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type !== 'object' || def.shape.people !== people || !isRecord(value)) return value;
  return { ...value, people: [...new Map(listUsers(schema, value).map((user) => [user._id, user])).values()] };
}

function trySerialize(serialize: Serializer, value: unknown): string | undefined {
  try {
    return serialize(value);
  } catch {
    return undefined;
  }
}

type Property = { object: Record<string, unknown>; name: string };

function listProperties(value: unknown): Property[] {
  if (typeof value !== 'object' || value === null) return [];
  const object = value as Record<string, unknown>;
  return Object.keys(object).flatMap((name) => [{ object, name }, ...listProperties(object[name])]);
}

function replaceProperty(value: unknown, nth: number, replacement: unknown): unknown {
  const copy: unknown = structuredClone(value);
  const properties = listProperties(copy);
  const property = properties[nth % properties.length];
  if (property) property.object[property.name] = replacement;
  return copy;
}

const responses = ALL_ENDPOINTS.flatMap(({ endpoint: { method, path, response } }) =>
  response ? [{ call: `${method} ${path}`, response }] : [],
);

describe('compileSerializer', () => {
  it.each(responses)("matches zod's output for $call", ({ response }) => {
    const serialize = compileSerializer(response);
    fc.assert(
      fc.property(valuesFor(response), (value) => {
        const expected = serializeWithZod(response, withPeople(response, value));
        expect(expected).toBeDefined();
        expect(serialize(value)).toBe(expected);
      }),
      { numRuns: 15 },
    );
  });

  it.each(responses)('rejects a value of a different type in $call, and leaks no field', ({ response }) => {
    const serialize = compileSerializer(response);
    const unconstrained = withoutConstraints(response);
    fc.assert(
      fc.property(valuesFor(response), fc.nat(), arbitraryValue, (value, nth, replacement) => {
        const invalidValue = replaceProperty(value, nth, replacement);
        const expected = serializeWithZod(unconstrained, withPeople(response, invalidValue));
        expect(trySerialize(serialize, invalidValue)).toBe(expected);
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
    ['a transformed string', z.object({ a: z.string().trim().toLowerCase() }), [{ a: ' X ' }, { a: 1 }]],
    ['a default', z.object({ a: z.string().default('b') }), [{}, { a: 'c' }, { a: 1 }]],
    ['a coerced number', z.object({ a: z.coerce.number() }), [{ a: '5' }, { a: 'x' }]],
    ['a URL', z.object({ a: z.url() }), [{ a: ' https://example.org ' }, { a: 'x' }]],
    ['an object with additional fields', z.looseObject({ a: z.string() }), [{ a: 'x', b: 1 }, { b: 1 }]],
    ['an object without additional fields', z.strictObject({ a: z.string() }), [{ a: 'x' }, { a: 'x', b: LEAK }]],
    ['a record', z.record(z.string(), z.object({ a: z.string() })), [{ x: { a: 'x', [LEAK]: LEAK } }, { x: 1 }]],
    [
      'a recursive object',
      tree,
      [{ name: 'a', [LEAK]: LEAK, parts: [{ name: 'b', parts: [], [LEAK]: LEAK }] }, { name: 'a' }],
    ],
  ];
  it.each(schemas)('delegates %s to zod', (_description, schema, values) => {
    const serialize = compileSerializer(schema);
    for (const value of values) expect(trySerialize(serialize, value)).toBe(serializeWithZod(schema, value));
  });
});
