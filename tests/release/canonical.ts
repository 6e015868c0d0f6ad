import { createHash } from 'node:crypto';
import type { JsonSchema } from './schema-variants.ts';

/** Keywords that hold nobody to anything. */
const WORDS = new Set(['description', 'title', 'examples', '$comment', '$schema']);

/** A schema without its words; names of fields are no keywords. */
export function withoutWords(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).filter(([keyword]) => !WORDS.has(keyword));
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, nested(keyword, value)]));
}

function nested(keyword: string, value: unknown): unknown {
  if (keyword === 'default' || keyword === 'enum' || keyword === 'const') return value;
  if (Array.isArray(value)) return value.map((one) => (isObject(one) ? withoutWords(one) : one));
  if (!isObject(value)) return value;
  if (keyword !== 'properties') return withoutWords(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, isObject(field) ? withoutWords(field) : field]),
  );
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON that is the same whatever order the code wrote it in, a line for each entry at the top. */
export function canonicalJson(entries: Readonly<Record<string, unknown>>): string {
  const lines = Object.keys(entries)
    .sort()
    .map((name) => `${JSON.stringify(name)}: ${JSON.stringify(entries[name], sorted)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

const sorted = (_name: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) : value;

/** SHA-256 in hexadecimal. */
export const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
