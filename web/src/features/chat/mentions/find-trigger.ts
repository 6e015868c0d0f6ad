import type { ComposedText } from './composed-text.ts';

/** The start of a mention that is being typed, from its sign to the caret. */
export type Trigger = { sign: '@' | '#'; query: string; from: number; to: number };

/** A sign after white space, and a part of a name of several words. */
const TRIGGER = /(?:^|\s)([@#])((?:[^\s@#][^\n@#]{0,39})?)$/u;

export function findTrigger({ text, mentions = [] }: ComposedText, caret: number): Trigger | null {
  const match = TRIGGER.exec(text.slice(0, caret));
  if (!match) return null;
  const [, sign, query = ''] = match;
  const from = caret - query.length - 1;
  const isInserted = mentions.some(({ at, text: name }) => at <= from && from < at + name.length);
  if (isInserted || /\s$/.test(query)) return null;
  return { sign: sign === '#' ? '#' : '@', query, from, to: caret };
}
