import { redactEmails } from './redact-emails.ts';

/** What a line of the log holds of an error. */
export type DescribedError = {
  type: string;
  message: string;
  stack?: string;
  code?: string;
  cause?: DescribedError;
};

/** The classes of PostgreSQL's codes whose messages quote what was put in: data, and its syntax. */
const QUOTES_DATA = /^22/;
const MAX_CAUSES = 3;
/** A message that quotes something longer is cut before anything is looked for in it. */
const MAX_MESSAGE_LENGTH = 4_000;
const MAX_FRAMES = 50;

/**
 * An error without what people typed. A driver hangs the row, the parameters, or the server's answer with the recipient's address on its
 * errors, so of their fields only the code is taken; and what looks like an address of e-mail is left out of the words.
 */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: describeText(String(error)) };
  const code = 'code' in error && ['string', 'number'].includes(typeof error.code) ? String(error.code) : undefined;
  const messageText = describeText(error.message);
  const message =
    code !== undefined && QUOTES_DATA.test(code) ? messageText.replaceAll(/"[^"]*"/g, '"…"') : messageText;
  const frames = error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, MAX_FRAMES);
  return {
    type: error.name,
    message,
    ...(frames && { stack: frames.join('\n') }),
    ...(code !== undefined && { code }),
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: describeError(error.cause, depth + 1) }),
  };
}

const describeText = (text: string): string =>
  redactEmails(text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text);
