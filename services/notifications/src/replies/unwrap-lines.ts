/** Programs that wrap lines, such as Gmail, do so between 72 and 78 characters (RFC 5322, section 2.1.1). */
const MIN_WIDTH = 72;
const MAX_WIDTH = 78;
const MIN_WRAPPED_LENGTH = 40;
const LIST_ITEM = /^(?:[-*•#|]|\d{1,3}[.)])(?:\s|$)/;

/** Joins lines that a mail program wrapped: those whose next word would not have fit. */
export function unwrapLines(text: string): string {
  const lines = text.split('\n');
  return lines
    .map((line, index) => {
      const next = lines[index + 1];
      return next === undefined ? line : `${line}${isWrapped(line, next) ? ' ' : '\n'}`;
    })
    .join('');
}

function isWrapped(line: string, next: string): boolean {
  if (line.length < MIN_WRAPPED_LENGTH || line.length > MAX_WIDTH || LIST_ITEM.test(next)) return false;
  const [word = ''] = next.split(' ', 1);
  return word !== '' && line.length + 1 + word.length > MIN_WIDTH;
}
