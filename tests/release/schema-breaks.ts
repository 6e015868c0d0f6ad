import { type Constraint, type JsonSchema, variantsOf } from './schema-variants.ts';

/**
 * Which way a value travels between versions. A `request` is written by an older client and read by the newer code, an `answer` the
 * other way round. What is `shared` (events, values of a bucket) is written and read by both.
 */
export type Travel = 'request' | 'answer' | 'shared';

type Way = { isRequest: boolean; isStrict: boolean };

const WAYS: Readonly<Record<Travel, readonly Way[]>> = {
  request: [{ isRequest: true, isStrict: true }],
  // No client minds a longer text; a pod that parses an event does.
  answer: [{ isRequest: false, isStrict: false }],
  shared: [
    { isRequest: true, isStrict: true },
    { isRequest: false, isStrict: true },
  ],
};

/** What breaks somebody who knows `before` when `after` takes its place; each begins with the place. */
export function findSchemaBreaks(before: JsonSchema, after: JsonSchema, travel: Travel, place: string): string[] {
  return [...new Set(WAYS[travel].flatMap((way) => compare(before, after, way, place)))];
}

function compare(before: JsonSchema, after: JsonSchema, way: Way, place: string): string[] {
  const [written, read] = way.isRequest ? [before, after] : [after, before];
  const readable = variantsOf(read, place);
  const breaks = variantsOf(written, place).flatMap((variant) => {
    const alike = readable.filter((other) => isOfKind(variant, other));
    const tries = alike.map((other) => compareVariants(variant, other, way, place));
    return tries.sort((one, other) => one.length - other.length)[0] ?? [unreadable(variant, way, place)];
  });
  const fallback = way.isRequest ? changedDefault(before, after, place) : [];
  return [...fallback, ...breaks];
}

const shown = (value: unknown) => JSON.stringify(value);

function changedDefault(before: JsonSchema, after: JsonSchema, place: string): string[] {
  if (before.default === undefined || shown(before.default) === shown(after.default)) return [];
  return [`${place} is ${shown(after.default) ?? 'nothing'} now where it is left out; it was ${shown(before.default)}`];
}

function unreadable(variant: Constraint, { isRequest }: Way, place: string): string {
  const what = 'value' in variant ? shown(variant.value) : variant.kind;
  return isRequest ? `${place} takes ${what} no longer` : `${place} may be ${what} now`;
}

/** Whether a value of one may be a value of the other at all. */
function isOfKind(written: Constraint, read: Constraint): boolean {
  if (read.kind === 'anything') return true;
  if ('value' in read) return 'value' in written && written.value === read.value;
  return written.kind === read.kind || (written.kind === 'integer' && read.kind === 'number');
}

function compareVariants(written: Constraint, read: Constraint, way: Way, place: string): string[] {
  if (read.kind === 'anything' || 'value' in written || 'value' in read) return [];
  const nested = [...compareFields(written, read, way, place), ...compareItems(written, read, way, place)];
  return way.isStrict ? [...compareBounds(written, read, way, place), ...nested] : nested;
}

type Bounded = Exclude<Constraint, { value: unknown }>;

const LEAST = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems'] as const;
const MOST = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems'] as const;

function compareBounds(written: Bounded, read: Bounded, { isRequest }: Way, place: string): string[] {
  const changed = (what: string, from: unknown, to: unknown) => {
    const [before, after] = isRequest ? [from, to] : [to, from];
    return `${place} has another ${what} now: ${shown(after) ?? 'none'}, it was ${shown(before) ?? 'none'}`;
  };
  const least = LEAST.filter((bound) => (read[bound] ?? -Infinity) > (written[bound] ?? -Infinity));
  const most = MOST.filter((bound) => (read[bound] ?? Infinity) < (written[bound] ?? Infinity));
  const patterns = read.patterns.filter((pattern) => !written.patterns.includes(pattern));
  return [
    ...[...least, ...most].map((bound) => changed(bound, written[bound], read[bound])),
    ...(read.format !== undefined && read.format !== written.format
      ? [changed('format', written.format, read.format)]
      : []),
    ...(patterns.length > 0 ? [changed('pattern', written.patterns, read.patterns)] : []),
  ];
}

function compareItems(written: Bounded, read: Bounded, way: Way, place: string): string[] {
  const pairs = [
    [written.items, read.items, `${place}[]`],
    [written.values, read.values, `${place}.*`],
    [written.names, read.names, `the names in ${place}`],
  ] as const;
  return pairs.flatMap(([from, to, where]) => {
    if (to === undefined) return [];
    const [before, after] = way.isRequest ? [from ?? {}, to] : [to, from ?? {}];
    return compare(before, after, way, where);
  });
}

function compareFields(written: Bounded, read: Bounded, way: Way, place: string): string[] {
  const [before, after] = way.isRequest ? [written, read] : [read, written];
  const demanded = [...read.required].filter((name) => !written.required.has(name));
  const breaks = demanded
    // One that has gone altogether is told as such.
    .filter((name) => way.isRequest || after.fields.has(name))
    .map((name) => `${place}.${name} ${way.isRequest ? 'is demanded now' : 'may be missing now'}`);
  if (way.isRequest && read.isClosed && !written.isClosed) breaks.push(`${place} refuses fields that it does not know`);
  for (const [name, field] of before.fields) {
    const now = after.fields.get(name);
    if (now) breaks.push(...compare(field, now, way, `${place}.${name}`));
    else breaks.push(`${place}.${name} ${way.isRequest ? 'is taken no longer' : 'is gone'}`);
  }
  return breaks;
}
