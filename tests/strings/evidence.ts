import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A text that stood before somebody's eyes, and where: a path of the web app with `:id` for ids, or a call of the API. */
export type Seen = { at: string; text: string };

const ID = /\b[0-9a-f]{24}\b/g;

/** A text as it is compared: with single blanks. */
export const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const noted = new Set<string>();

/** Writes down what was seen, each only once for each place, into the folder that `ATRIUM_EVIDENCE` names; without one, nothing. */
export function noteSeen(seen: readonly Seen[]): void {
  const folder = process.env.ATRIUM_EVIDENCE;
  if (!folder) return;
  const lines = seen
    .map(({ at, text }) => JSON.stringify({ at: at.replaceAll(ID, ':id'), text: plain(text) }))
    .filter((line) => !noted.has(line));
  if (lines.length === 0) return;
  for (const line of lines) noted.add(line);
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `text-${process.pid}.jsonl`), `${[...new Set(lines)].join('\n')}\n`);
}

/** All that the tests of one run have written down. */
export function readSeen(folder: string): Seen[] {
  const files = readdirSync(folder).filter((file) => /^text-.*\.jsonl$/.test(file));
  const lines = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean));
  return [...new Set(lines)].map((line) => JSON.parse(line) as Seen);
}
