import { readCoverage, recordCoverage, replaceIds } from '@atrium/test-kit/coverage-records';

export type Seen = { at: string; text: string };

/** Collapses whitespace, for comparisons. */
export const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

export const recordSeen = (seen: readonly Seen[]): void =>
  recordCoverage(
    'text',
    seen.map(({ at, text }) => ({ at: replaceIds(at), text: plain(text) })),
  );

export const readSeen = (folder: string): Seen[] => readCoverage<Seen>('text', folder);
