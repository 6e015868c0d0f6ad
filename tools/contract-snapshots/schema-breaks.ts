import { type Constraint, type JsonSchema, listVariants } from './schema-variants.ts';

/**
 * Older clients write a `request` and newer code reads it; for a `response`, it is the other way around. Both write and
 * read `shared` values (events and bucket values).
 */
type Direction = 'request' | 'response' | 'shared';

type Comparison = { isRequest: boolean; isStrict: boolean };

const COMPARISONS: Readonly<Record<Direction, readonly Comparison[]>> = {
  request: [{ isRequest: true, isStrict: true }],
  // Clients accept longer text, but a pod that parses an event does not.
  response: [{ isRequest: false, isStrict: false }],
  shared: [
    { isRequest: true, isStrict: true },
    { isRequest: false, isStrict: true },
  ],
};

export function findSchemaBreaks(before: JsonSchema, after: JsonSchema, direction: Direction, path: string): string[] {
  return [...new Set(COMPARISONS[direction].flatMap((comparison) => compare(before, after, comparison, path)))];
}

function compare(before: JsonSchema, after: JsonSchema, comparison: Comparison, path: string): string[] {
  const [written, read] = comparison.isRequest ? [before, after] : [after, before];
  const readableVariants = listVariants(read, path);
  const breaks = listVariants(written, path).flatMap((variant) => {
    const candidates = readableVariants.filter((other) => canReadKind(variant, other));
    const results = candidates.map((other) => compareVariants(variant, other, comparison, path));
    return results.sort((a, b) => a.length - b.length)[0] ?? [describeUnreadable(variant, comparison, path)];
  });
  const defaultBreaks = comparison.isRequest ? findChangedDefault(before, after, path) : [];
  return [...defaultBreaks, ...breaks];
}

const toJson = (value: unknown) => JSON.stringify(value);

function findChangedDefault(before: JsonSchema, after: JsonSchema, path: string): string[] {
  if (before.default === undefined || toJson(before.default) === toJson(after.default)) return [];
  return [`${path} now defaults to ${toJson(after.default) ?? 'nothing'} instead of ${toJson(before.default)}`];
}

function describeUnreadable(variant: Constraint, { isRequest }: Comparison, path: string): string {
  const label = 'value' in variant ? toJson(variant.value) : variant.kind;
  return isRequest ? `${path} no longer accepts ${label}` : `${path} may now be ${label}`;
}

function canReadKind(written: Constraint, read: Constraint): boolean {
  if (read.kind === 'anything') return true;
  if ('value' in read) return 'value' in written && written.value === read.value;
  return written.kind === read.kind || (written.kind === 'integer' && read.kind === 'number');
}

function compareVariants(written: Constraint, read: Constraint, comparison: Comparison, path: string): string[] {
  if (read.kind === 'anything' || 'value' in written || 'value' in read) return [];
  const nested = [...compareFields(written, read, comparison, path), ...compareItems(written, read, comparison, path)];
  return comparison.isStrict ? [...compareBounds(written, read, comparison, path), ...nested] : nested;
}

type Bounded = Exclude<Constraint, { value: unknown }>;

const MIN_BOUNDS = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems'] as const;
const MAX_BOUNDS = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems'] as const;

function compareBounds(written: Bounded, read: Bounded, { isRequest }: Comparison, path: string): string[] {
  const describeChange = (keyword: string, from: unknown, to: unknown) => {
    const [before, after] = isRequest ? [from, to] : [to, from];
    return `${path} has ${keyword} ${toJson(after) ?? 'none'} instead of ${toJson(before) ?? 'none'}`;
  };
  const minBounds = MIN_BOUNDS.filter((bound) => (read[bound] ?? -Infinity) > (written[bound] ?? -Infinity));
  const maxBounds = MAX_BOUNDS.filter((bound) => (read[bound] ?? Infinity) < (written[bound] ?? Infinity));
  const patterns = read.patterns.filter((pattern) => !written.patterns.includes(pattern));
  return [
    ...[...minBounds, ...maxBounds].map((bound) => describeChange(bound, written[bound], read[bound])),
    ...(read.format !== undefined && read.format !== written.format
      ? [describeChange('format', written.format, read.format)]
      : []),
    ...(patterns.length > 0 ? [describeChange('pattern', written.patterns, read.patterns)] : []),
  ];
}

function compareItems(written: Bounded, read: Bounded, comparison: Comparison, path: string): string[] {
  const pairs = [
    [written.items, read.items, `${path}[]`],
    [written.values, read.values, `${path}.*`],
    [written.names, read.names, `the names in ${path}`],
  ] as const;
  return pairs.flatMap(([from, to, where]) => {
    if (to === undefined) return [];
    const [before, after] = comparison.isRequest ? [from ?? {}, to] : [to, from ?? {}];
    return compare(before, after, comparison, where);
  });
}

function compareFields(written: Bounded, read: Bounded, comparison: Comparison, path: string): string[] {
  const [before, after] = comparison.isRequest ? [written, read] : [read, written];
  const newlyRequired = [...read.required].filter((name) => !written.required.has(name));
  const breaks = newlyRequired
    // A removed field is reported as removed below.
    .filter((name) => comparison.isRequest || after.fields.has(name))
    .map((name) => `${path}.${name} ${comparison.isRequest ? 'is now required' : 'may now be missing'}`);
  if (comparison.isRequest && read.forbidsAdditional && !written.forbidsAdditional)
    breaks.push(`${path} now rejects unknown fields`);
  for (const [name, field] of before.fields) {
    const now = after.fields.get(name);
    if (now) breaks.push(...compare(field, now, comparison, `${path}.${name}`));
    else breaks.push(`${path}.${name} ${comparison.isRequest ? 'is no longer accepted' : 'was removed'}`);
  }
  return breaks;
}
