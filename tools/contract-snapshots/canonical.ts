import { createHash } from 'node:crypto';
import type { JsonSchema } from './schema-variants.ts';

const ANNOTATIONS = new Set(['description', 'title', 'examples', '$comment', '$schema']);

/** Removes keywords that do not affect validation. Keeps fields that have the names of such keywords. */
export function withoutAnnotations(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).filter(([keyword]) => !ANNOTATIONS.has(keyword));
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, removeNestedAnnotations(keyword, value)]));
}

function removeNestedAnnotations(keyword: string, value: unknown): unknown {
  if (keyword === 'default' || keyword === 'enum' || keyword === 'const') return value;
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? withoutAnnotations(item) : item));
  if (!isObject(value)) return value;
  if (keyword !== 'properties') return withoutAnnotations(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, isObject(field) ? withoutAnnotations(field) : field]),
  );
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function canonicalJson(entries: Readonly<Record<string, unknown>>): string {
  const lines = Object.keys(entries)
    .sort()
    .map((name) => `${JSON.stringify(name)}: ${JSON.stringify(entries[name], sortKeys)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

const sortKeys = (_name: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

export const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
