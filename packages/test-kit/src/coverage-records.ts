import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What tests record: visible texts, API responses, and published events. */
type CoverageKind = 'text' | 'response' | 'event';

const ID = /\b[0-9a-f]{24}\b/g;

/** Replaces every id in a path with `:id`, so that calls that differ only in ids are recorded once. */
export const replaceIds = (address: string): string => address.replaceAll(ID, ':id');

const recorded = new Set<string>();

export function recordCoverage(kind: CoverageKind, rows: readonly object[]): void {
  const folder = process.env.CONTRACT_COVERAGE_DIR;
  if (!folder) return;
  const lines = new Set(rows.map((row) => JSON.stringify(row)));
  const newLines = [...lines].filter((line) => !recorded.has(`${kind} ${line}`));
  if (newLines.length === 0) return;
  for (const line of newLines) recorded.add(`${kind} ${line}`);
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${kind}-${process.pid}.jsonl`), `${newLines.join('\n')}\n`);
}

export function readCoverage<T>(kind: CoverageKind, folder: string): T[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.startsWith(`${kind}-`) && file.endsWith('.jsonl'));
  const lines = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean));
  return [...new Set(lines)].map((line) => JSON.parse(line) as T);
}

export type RecordedResponse = { service: string; method: string; path: string; status: number; code?: string };

type Call = { method: string; path: string };

export function recordResponse(
  service: string,
  { method, path }: Call,
  { status, body }: { status: number; body: unknown },
): void {
  const code = status >= 400 && typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
  recordCoverage('response', [{ service, method, path: replaceIds(path.split(/[?#]/, 1).join()), status, code }]);
}

export type RecordedEvent = { service: string; subject: string };
