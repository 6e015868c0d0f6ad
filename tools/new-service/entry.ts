import type { Names } from './names.ts';

/** One place in a list that names the services one by one. */
export interface Entry {
  file: string;
  /** What is found, and what stands there afterwards. */
  after: RegExp;
  insert: (names: Names, found: RegExpExecArray) => string;
}
