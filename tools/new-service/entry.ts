import type { Names } from './names.ts';

/** A place in a list of services. */
export interface Entry {
  file: string;
  /** The text to find, and what to insert after it. */
  after: RegExp;
  insert: (names: Names, found: RegExpExecArray) => string;
}
