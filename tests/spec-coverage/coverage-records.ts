import { note, readNotes, withoutIds } from '@atrium/test-kit/coverage-records';

/** A text that stood before somebody's eyes, and where: a path of the web app with `:id` for ids, or a call of the API. */
export type Seen = { at: string; text: string };

/** A text as it is compared: with single blanks. */
export const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Writes down what was seen. */
export const noteSeen = (seen: readonly Seen[]): void =>
  note(
    'text',
    seen.map(({ at, text }) => ({ at: withoutIds(at), text: plain(text) })),
  );

/** All that the tests of one run have seen. */
export const readSeen = (folder: string): Seen[] => readNotes<Seen>('text', folder);
