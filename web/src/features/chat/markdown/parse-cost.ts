const MARKUP_RUN = /^[ \t]*(?:[-+]|\d{1,9}[.)])[ \t]|\*+|_+|~+|`+|[[\]|>&\\\n]/gm;
const COST_OF_MARKUP = 30;
const MAX_COST = 10_000;

/**
 * Whether a text is parsed within a few milliseconds. The time depends on its length, and on how much in it could be
 * markup: 10,000 characters of nested emphasis take a hundred times as long as those of a book.
 */
export function isParsedQuickly(text: string): boolean {
  const markupCount = text.match(MARKUP_RUN)?.length ?? 0;
  return text.length + COST_OF_MARKUP * markupCount <= MAX_COST;
}
