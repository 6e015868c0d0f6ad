import { readCoverage, recordCoverage, replaceIds } from '@atrium/test-kit/coverage-records';

export type Seen = { at: string; text: string };

/** Collapses and trims whitespace for comparisons. */
export const collapseWhitespace = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

export const recordSeen = (seen: readonly Seen[]): void =>
  recordCoverage(
    'text',
    seen.map(({ at, text }) => ({ at: replaceIds(at), text: collapseWhitespace(text) })),
  );

export const readSeen = (folder: string): Seen[] => readCoverage<Seen>('text', folder);
