import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What tests write down while they run: texts that were visible, answers of the API, events that a service published. */
export type CoverageKind = 'text' | 'answer' | 'event';

const ID = /\b[0-9a-f]{24}\b/g;

/** An address with `:id` for every id in it, so that a thousand calls of one kind leave one row. */
export const withoutIds = (address: string): string => address.replaceAll(ID, ':id');

const recorded = new Set<string>();

/** Writes rows down, each only once for each test file, into the folder that `CONTRACT_COVERAGE_DIR` names; without one, nothing. */
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

/** Every row of a kind that the tests of one run have written down. */
export function readCoverage<T>(kind: CoverageKind, folder: string): T[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.startsWith(`${kind}-`) && file.endsWith('.jsonl'));
  const lines = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean));
  return [...new Set(lines)].map((line) => JSON.parse(line) as T);
}

/** An answer that the tests of a service got of it, at an address below `/api` without its query; `code` is that of a refusal. */
export type RecordedResponse = { service: string; method: string; path: string; status: number; code?: string };

type Call = { method: string; path: string };

/** Writes down what a service answered, so that the end of `npm test` knows which call was tested with what outcome. */
export function recordResponse(
  service: string,
  { method, path }: Call,
  { status, body }: { status: number; body: unknown },
): void {
  const code = status >= 400 && typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
  recordCoverage('answer', [{ service, method, path: withoutIds(path.split(/[?#]/, 1).join()), status, code }]);
}

/** An event that a service published while its tests ran, by the subject that the contract gives it. */
export type RecordedEvent = { service: string; subject: string };
