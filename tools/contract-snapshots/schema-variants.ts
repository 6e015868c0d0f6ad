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
      forbidsAdditional: boolean;
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

const KNOWN_KEYWORDS = new Set<string>([
  ...BOUNDS,
  ...['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', 'default'],
  // The encoding of base64url is its format and pattern as well.
  ...[
    'contentEncoding',
    'format',
    'pattern',
    'items',
    'properties',
    'required',
    'additionalProperties',
    'propertyNames',
  ],
]);

const toArray = <T>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : []);

export function listVariants(schema: JsonSchema, path: string): Constraint[] {
  const unknown = Object.keys(schema).filter((keyword) => !KNOWN_KEYWORDS.has(keyword));
  if (unknown.length > 0)
    throw new Error(`${path}: unsupported JSON Schema keyword (add it to schema-variants.ts): ${unknown.join(', ')}`);
  const { anyOf, oneOf, allOf, ...rest } = schema;
  const alternatives = toArray<JsonSchema>(anyOf ?? oneOf);
  if (alternatives.length > 0) return alternatives.flatMap((choice) => listVariants({ ...rest, ...choice }, path));
  if (allOf !== undefined) return toArray<JsonSchema>(allOf).reduce(intersectWith(path), listVariants(rest, path));
  const values = 'const' in schema ? [schema.const] : schema.enum;
  if (values !== undefined) return toArray<unknown>(values).map((value) => ({ kind: getKind(value), value }));
  if (schema.type === undefined && 'properties' in schema) return [toConstraint('object', schema)];
  const kinds = schema.type === undefined ? ['anything'] : [schema.type].flat().map(String);
  return kinds.map((kind) => toConstraint(kind, schema));
}

function getKind(value: unknown): string {
  if (value === null) return 'null';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function toConstraint(kind: string, schema: JsonSchema): Constraint {
  const { pattern, format, items, properties = {}, required, additionalProperties: additional, propertyNames } = schema;
  const bounds = Object.fromEntries(BOUNDS.flatMap((bound) => (bound in schema ? [[bound, schema[bound]]] : [])));
  return {
    kind,
    ...(bounds as Bounds),
    patterns: pattern === undefined ? [] : [String(pattern)],
    ...(format !== undefined && { format: String(format) }),
    fields: new Map(Object.entries(properties as Record<string, JsonSchema>)),
    required: new Set(toArray<string>(required)),
    forbidsAdditional: additional === false,
    ...(isSchema(items) && { items }),
    ...(isSchema(additional) && { values: additional }),
    ...(isSchema(propertyNames) && { names: propertyNames }),
  };
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

const intersectWith =
  (path: string) =>
  (constraints: Constraint[], schema: JsonSchema): Constraint[] =>
    constraints.flatMap((a) => listVariants(schema, path).flatMap((b) => intersectConstraints(a, b)));

function intersectConstraints(a: Constraint, b: Constraint): Constraint[] {
  if (a.kind !== b.kind && a.kind !== 'anything' && b.kind !== 'anything') return [];
  if ('value' in a) return [a];
  if ('value' in b) return [b];
  const bounds = BOUNDS.flatMap((bound) => {
    const values = [a[bound], b[bound]].filter((value) => value !== undefined);
    return values.length > 0 ? [[bound, /min/i.test(bound) ? Math.max(...values) : Math.min(...values)]] : [];
  });
  return [
    {
      ...a,
      ...b,
      kind: a.kind === 'anything' ? b.kind : a.kind,
      ...Object.fromEntries(bounds),
      patterns: [...a.patterns, ...b.patterns],
      fields: new Map([...a.fields, ...b.fields]),
      required: new Set([...a.required, ...b.required]),
      forbidsAdditional: a.forbidsAdditional && b.forbidsAdditional,
    },
  ];
}
