import type { QueryConfig } from 'pg';
import type { SpanOptions } from './tracing.ts';

/** The span of a statement: without its values, and without its text, which a name represents. */
export function statementSpan(query: string | QueryConfig): SpanOptions {
  return { name: nameOf(query), kind: 'client', attributes: { 'db.system.name': 'postgresql' } };
}

/** The name of a prepared statement, or its first word. */
function nameOf(query: string | QueryConfig): string {
  if (typeof query !== 'string' && query.name !== undefined) return query.name;
  const text = typeof query === 'string' ? query : query.text;
  return text.trimStart().split(/\s/, 1)[0] ?? 'statement';
}
