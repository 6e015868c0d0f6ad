import { createHash } from 'node:crypto';
import type { JsonSchema } from './schema-variants.ts';

const ANNOTATIONS = new Set(['description', 'title', 'examples', '$comment', '$schema']);

/** Fields with the same names are kept. */
export function withoutAnnotations(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).filter(([keyword]) => !ANNOTATIONS.has(keyword));
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, nested(keyword, value)]));
}

function nested(keyword: string, value: unknown): unknown {
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
    .map((name) => `${JSON.stringify(name)}: ${JSON.stringify(entries[name], sorted)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

const sorted = (_name: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

export const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
