/**
 * What to do about a mail that could not be sent. `server-away`: nothing is wrong with the mail and no other need try now;
 * `try-later`: the server said so of this mail; `for-good`: the server, or the address itself, said never.
 */
export type Failure = 'server-away' | 'try-later' | 'for-good';

/** The transport's codes for a refusal of the envelope or of the message, as opposed to trouble on the way there. */
const ABOUT_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);
const SERVER_LEAVES = 421;

/** Judges an error of the mail transport by the class of the server's answer (RFC 5321, section 4.2.1). */
export function judgeFailure(error: unknown): Failure {
  if (error instanceof UnsendableMail) return 'for-good';
  const { code, responseCode, permanent } = readError(error);
  if (typeof code !== 'string' || !ABOUT_THE_MAIL.has(code) || responseCode === SERVER_LEAVES) return 'server-away';
  // Without an answer the envelope itself is malformed.
  if (responseCode === undefined) return 'for-good';
  return permanent === true ? 'for-good' : 'try-later';
}

function readError(error: unknown): { code?: unknown; responseCode?: unknown; permanent?: unknown } {
  return typeof error === 'object' && error !== null ? error : {};
}

const FIRST_MS = { 'server-away': 1_000, 'try-later': 10_000 };
/** Whoever is away, the mail server or our own store, is soon asked again: nothing is wrong with the mail, and it shall go with their return. */
const LONGEST_MS = { 'server-away': 5_000, 'try-later': 60 * 60_000 };

/** How long to leave a mail alone after its n-th attempt, doubling. While the server is away nothing is attempted, so that counts little. */
export function attemptDelay(failure: 'server-away' | 'try-later', attempt: number): number {
  return Math.min(FIRST_MS[failure] * 2 ** (attempt - 1), LONGEST_MS[failure]);
}

/** A mail that no repetition can make right, such as one whose link cannot be opened. */
export class UnsendableMail extends Error {}
