import type { ComposedText } from '../text/composed-text.ts';

/** The start of a mention or an emoji that is being typed, from its sign to the caret. */
export type Trigger = { sign: '@' | '#' | ':'; query: string; from: number; to: number };

/**
 * A sign at the start of a word, and a part of a name of several words. A word also starts after an opening bracket or
 * quotation mark and, in scripts without spaces such as Chinese and Thai, after a letter, a mark, or punctuation.
 */
const MENTION =
  /(?:^|[\s"'\p{Ps}\p{Pi}\p{Lo}\p{M}\u3000-\u303f\u30fc\uff00-\uff20])([@#])((?:[^\s@#][^\n@#]{0,39})?)$/u;

/** Two characters of the name of an emoji; one would take `:D` for the start of one. */
const SHORTCODE_START = /(?:^|[\s(]):([a-z0-9_+-]{2,40})$/i;

export function findTrigger({ text, mentions = [] }: ComposedText, caret: number): Trigger | null {
  const before = text.slice(0, caret);
  const shortcode = SHORTCODE_START.exec(before)?.[1];
  if (shortcode !== undefined)
    return { sign: ':', query: shortcode.toLowerCase(), from: caret - shortcode.length - 1, to: caret };
  const match = MENTION.exec(before);
  if (!match) return null;
  const [, sign, query = ''] = match;
  const from = caret - query.length - 1;
  const isInserted = mentions.some(({ at, text: name }) => at <= from && from < at + name.length);
  if (isInserted || /\s$/.test(query)) return null;
  return { sign: sign === '#' ? '#' : '@', query, from, to: caret };
}

const TYPED = /(?:^|[\s(]):([a-z0-9_+-]{1,40}):$/i;

/** Returns the code that ends at the caret with the colon just typed. */
export const findTypedCode = (text: string, caret: number): string | undefined =>
  TYPED.exec(text.slice(0, caret))?.[1]?.toLowerCase();
