export type JsonSchema = { readonly [keyword: string]: unknown; readonly default?: unknown };

type Bounds = Partial<
  Record<
    | 'minLength'
    | 'maxLength'
    | 'minimum'
    | 'maximum'
    | 'exclusiveMinimum'
    | 'exclusiveMaximum'
    | 'minItems'
    | 'maxItems',
    number
  >
>;

/** A specific value, or any value of a kind within bounds. */
export type Constraint =
  | { kind: string; value: unknown }
  | (Bounds & {
      kind: string;
      format?: string;
      patterns: string[];
      fields: Map<string, JsonSchema>;
      required: Set<string>;
      isClosed: boolean;
      items?: JsonSchema;
      values?: JsonSchema;
      names?: JsonSchema;
    });

const BOUNDS = [
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
] as const;

const KNOWN = new Set<string>([
  ...BOUNDS,
  ...['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', 'default'],
  ...['format', 'pattern', 'items', 'properties', 'required', 'additionalProperties', 'propertyNames'],
]);

const listOf = <T>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : []);

export function variantsOf(schema: JsonSchema, place: string): Constraint[] {
  const unknown = Object.keys(schema).filter((keyword) => !KNOWN.has(keyword));
  if (unknown.length > 0)
    throw new Error(`${place}: tools/contract-locks/schema-variants.ts does not know ${unknown.join(', ')}`);
  const { anyOf, oneOf, allOf, ...rest } = schema;
  const choices = listOf<JsonSchema>(anyOf ?? oneOf);
  if (choices.length > 0) return choices.flatMap((choice) => variantsOf({ ...rest, ...choice }, place));
  if (allOf !== undefined) return listOf<JsonSchema>(allOf).reduce(intersect(place), variantsOf(rest, place));
  const values = 'const' in schema ? [schema.const] : schema.enum;
  if (values !== undefined) return listOf<unknown>(values).map((value) => ({ kind: kindOf(value), value }));
  if (schema.type === undefined && 'properties' in schema) return [ofKind('object', schema)];
  const kinds = schema.type === undefined ? ['anything'] : [schema.type].flat().map(String);
  return kinds.map((kind) => ofKind(kind, schema));
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function ofKind(kind: string, schema: JsonSchema): Constraint {
  const { pattern, format, items, properties = {}, required, additionalProperties: others, propertyNames } = schema;
  const bounds = Object.fromEntries(BOUNDS.flatMap((bound) => (bound in schema ? [[bound, schema[bound]]] : [])));
  return {
    kind,
    ...(bounds as Bounds),
    patterns: pattern === undefined ? [] : [String(pattern)],
    ...(format !== undefined && { format: String(format) }),
    fields: new Map(Object.entries(properties as Record<string, JsonSchema>)),
    required: new Set(listOf<string>(required)),
    isClosed: others === false,
    ...(isSchema(items) && { items }),
    ...(isSchema(others) && { values: others }),
    ...(isSchema(propertyNames) && { names: propertyNames }),
  };
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

const intersect =
  (place: string) =>
  (these: Constraint[], schema: JsonSchema): Constraint[] =>
    these.flatMap((one) => variantsOf(schema, place).flatMap((other) => both(one, other)));

function both(one: Constraint, other: Constraint): Constraint[] {
  if (one.kind !== other.kind && one.kind !== 'anything' && other.kind !== 'anything') return [];
  if ('value' in one) return [one];
  if ('value' in other) return [other];
  const bounds = BOUNDS.flatMap((bound) => {
    const given = [one[bound], other[bound]].filter((value) => value !== undefined);
    return given.length > 0 ? [[bound, /min/i.test(bound) ? Math.max(...given) : Math.min(...given)]] : [];
  });
  return [
    {
      ...one,
      ...other,
      kind: one.kind === 'anything' ? other.kind : one.kind,
      ...Object.fromEntries(bounds),
      patterns: [...one.patterns, ...other.patterns],
      fields: new Map([...one.fields, ...other.fields]),
      required: new Set([...one.required, ...other.required]),
      isClosed: one.isClosed && other.isClosed,
    },
  ];
}
