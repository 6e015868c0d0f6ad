import { readCoverage, recordCoverage, withoutIds } from '@atrium/test-kit/coverage-records';

/** A text that a user saw, and where: a path of the web app with `:id` for ids, or an API call. */
export type Seen = { at: string; text: string };

/** Collapses whitespace, for comparisons. */
export const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

export const recordSeen = (seen: readonly Seen[]): void =>
  recordCoverage(
    'text',
    seen.map(({ at, text }) => ({ at: withoutIds(at), text: plain(text) })),
  );

/** Everything that the tests of one run have seen. */
export const readSeen = (folder: string): Seen[] => readCoverage<Seen>('text', folder);
