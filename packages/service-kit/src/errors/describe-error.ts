type DescribedError = {
  type: string;
  message: string;
  stack?: string;
  code?: string;
  cause?: DescribedError;
};

/** PostgreSQL error class whose messages quote input: data exceptions. */
const CODE_QUOTING_INPUT = /^22/;
const MAX_CAUSES = 3;
const MAX_MESSAGE_LENGTH = 4_000;
const MAX_FRAMES = 50;

/**
 * Describes an error without user input. Drivers attach the row, the parameters, or the server's response with the
 * recipient's address to their errors. So only the code is taken from their fields, and email addresses are redacted
 * in messages.
 */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: describeText(String(error)) };
  const code = 'code' in error && ['string', 'number'].includes(typeof error.code) ? String(error.code) : undefined;
  const messageText = describeText(error.message);
  const message =
    code !== undefined && CODE_QUOTING_INPUT.test(code) ? messageText.replaceAll(/"[^"]*"/g, '"…"') : messageText;
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

const WORD = /[^\s<>()"'=,;:]+/g;
const LABEL = /\.[\p{L}\d-]+/gu;

export const redactEmails = (text: string): string => text.replaceAll(WORD, redactAddress);

function redactAddress(word: string): string {
  const at = word.indexOf('@', 1);
  if (at === -1) return word;
  // The host must have at least one character before its last label.
  const lastLabel = [...word.matchAll(LABEL)].at(-1);
  return lastLabel && lastLabel.index > at + 1 ? `[address]${word.slice(lastLabel.index + lastLabel[0].length)}` : word;
}
