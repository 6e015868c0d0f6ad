import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Coverage recorded by tests: visible texts, API responses, and published events. */
type CoverageKind = 'text' | 'answer' | 'event';

const ID = /\b[0-9a-f]{24}\b/g;

/** A path with `:id` for every id, so that repeated calls are recorded once. */
export const replaceIds = (address: string): string => address.replaceAll(ID, ':id');

const recorded = new Set<string>();

export function recordCoverage(kind: CoverageKind, rows: readonly object[]): void {
  const folder = process.env.CONTRACT_COVERAGE_DIR;
  if (!folder) return;
  const lines = new Set(rows.map((row) => JSON.stringify(row)));
  const fresh = [...lines].filter((line) => !recorded.has(`${kind} ${line}`));
  if (fresh.length === 0) return;
  for (const line of fresh) recorded.add(`${kind} ${line}`);
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${kind}-${process.pid}.jsonl`), `${fresh.join('\n')}\n`);
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
  recordCoverage('answer', [{ service, method, path: replaceIds(path.split(/[?#]/, 1).join()), status, code }]);
}

export type RecordedEvent = { service: string; subject: string };
