import { z } from 'zod';

/** Candidate values. Every field must accept at least one of them; a field that accepts none needs a new line here. */
const CANDIDATES: readonly unknown[] = [
  'Aa1!aaaa',
  'a',
  'aaaaaaaaaaaaaaaaaaaaaaaa',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  'lena@example.org',
  '2030-01-01T10:00:00Z',
  '2030-01-01T11:00:00Z',
  'https://example.org/a',
  'UTC',
  1,
  60,
  true,
  'true',
  '👍',
  ['aaaaaaaaaaaaaaaaaaaaaaaa'],
  ['lena@example.org'],
  ['a', 'b'],
  [],
  'e3b0c442-98fc-4c14-9afb-f4c8996fb924',
  'a'.repeat(43),
  `1-${'a'.repeat(24)}`,
  'a'.repeat(87),
  `${'a'.repeat(24)}-mention-${'a'.repeat(40)}`,
  { p256dh: 'a'.repeat(87), auth: 'a'.repeat(22) },
];

type JsonSchema = {
  properties?: Record<string, JsonSchema>;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
};

/** Lists the object variants of a schema: the schema itself, or the members of a union. */
function listVariants(schema: JsonSchema): JsonSchema[] {
  const members = schema.anyOf ?? schema.oneOf;
  if (members) return members.flatMap(listVariants);
  if (!schema.allOf) return [schema];
  return [{ properties: Object.assign({}, ...schema.allOf.flatMap(listVariants).map(({ properties }) => properties)) }];
}

/** Finds, by trial, a valid input with a value in every field, and does so for each variant of a union. */
export function sampleInputs(schema: z.ZodType): Record<string, unknown>[] {
  const jsonSchema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return listVariants(jsonSchema).map((variant) => buildSample(schema, variant.properties ?? {}));
}

function buildSample(schema: z.ZodType, properties: Record<string, JsonSchema>): Record<string, unknown> {
  const sample: Record<string, unknown> = {};
  const candidatesFor = (field: JsonSchema) => {
    const fixedValues = [field, ...(field.anyOf ?? [])].flatMap(
      (option) => option.enum ?? (option.const ? [option.const] : []),
    );
    return fixedValues.length > 0 ? fixedValues : CANDIDATES;
  };
  // Rules about two fields only apply once each field is valid.
  for (let round = 0; round < 3; round += 1) {
    for (const [name, field] of Object.entries(properties)) {
      const isInvalid = (value: unknown) =>
        schema.safeParse({ ...sample, [name]: value }).error?.issues.some(({ path }) => path[0] === name) ?? false;
      if (name in sample && !isInvalid(sample[name])) continue;
      sample[name] = candidatesFor(field).find((value) => !isInvalid(value));
    }
  }
  return sample;
}
