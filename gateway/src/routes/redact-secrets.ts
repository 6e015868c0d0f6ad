import { redactEmails } from '@atrium/service-kit/observability/without-addresses';

/** Runs of characters that an address is part of, as texts and stacks have them. */
const WORD = /[^\s)"']+/g;

/** What a browser says of its fault, without what names or lets in somebody (docs/decisions/0027). */
export const withoutSecrets = (text: string): string => redactEmails(text.replaceAll(WORD, withoutQuery));

/** What stands behind the path of an address, whatever is in the path: a link that somebody was mailed lets in whoever has it. */
function withoutQuery(word: string): string {
  const end = word.search(/[?#]/);
  return end !== -1 && word.includes('=', end) ? word.slice(0, end) : word;
}
