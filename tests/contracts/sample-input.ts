import { z } from 'zod';

/** Candidate values, at least one of which fits every field; a field that none fits needs a new line here. */
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
  ['aaaaaaaaaaaaaaaaaaaaaaaa'],
  ['lena@example.org'],
  [],
  'e3b0c442-98fc-4c14-9afb-f4c8996fb924',
  'a'.repeat(43),
];

type JsonSchema = {
  properties?: Record<string, JsonSchema>;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
};

/** Every object variant of a schema: itself, or each member of a union. */
function variants(schema: JsonSchema): JsonSchema[] {
  const several = schema.anyOf ?? schema.oneOf;
  if (several) return several.flatMap(variants);
  if (!schema.allOf) return [schema];
  return [{ properties: Object.assign({}, ...schema.allOf.flatMap(variants).map(({ properties }) => properties)) }];
}

/** Valid inputs with a value in every field, one per variant of a union. They are found by trial, so new contracts need no entry here. */
export function sampleInputs(schema: z.ZodType): Record<string, unknown>[] {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return variants(described).map((variant) => sampleOf(schema, variant.properties ?? {}));
}

function sampleOf(schema: z.ZodType, properties: Record<string, JsonSchema>): Record<string, unknown> {
  const sample: Record<string, unknown> = {};
  const candidatesFor = (field: JsonSchema) => {
    const fixed = [field, ...(field.anyOf ?? [])].flatMap(
      (option) => option.enum ?? (option.const ? [option.const] : []),
    );
    return fixed.length > 0 ? fixed : CANDIDATES;
  };
  // Rules about two fields only apply once each field is valid.
  for (let round = 0; round < 3; round += 1) {
    for (const [name, field] of Object.entries(properties)) {
      const invalid = (value: unknown) =>
        schema.safeParse({ ...sample, [name]: value }).error?.issues.some(({ path }) => path[0] === name) ?? false;
      if (name in sample && !invalid(sample[name])) continue;
      sample[name] = candidatesFor(field).find((value) => !invalid(value));
    }
  }
  return sample;
}
