import { redactEmails } from '@atrium/service-kit/errors/describe-error';

/** URLs within text and stack traces. */
const WORD = /[^\s)"']+/g;

/** Redacts email addresses and secret URLs from client errors (docs/decisions/0027). */
export const redactSecrets = (text: string): string => redactEmails(text.replaceAll(WORD, redactQuery));

/** Removes query and fragment if they contain parameters: emailed links contain secrets. */
function redactQuery(word: string): string {
  const end = word.search(/[?#]/);
  return end !== -1 && word.includes('=', end) ? word.slice(0, end) : word;
}
