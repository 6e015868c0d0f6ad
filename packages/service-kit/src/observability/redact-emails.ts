/** Runs of characters that an address of e-mail can be part of. */
const WORD = /[^\s<>()"'=,;:]+/g;
const LABEL = /\.[\p{L}\d-]+/gu;

/** A text without addresses of e-mail. Takes time in proportion to its length, whatever the text. */
export const redactEmails = (text: string): string => text.replaceAll(WORD, withoutAddress);

function withoutAddress(word: string): string {
  const at = word.indexOf('@', 1);
  if (at === -1) return word;
  // Of the host at least one character stands before its last label.
  const last = [...word.matchAll(LABEL)].at(-1);
  return last && last.index > at + 1 ? `[address]${word.slice(last.index + last[0].length)}` : word;
}
