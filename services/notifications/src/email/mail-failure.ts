import { AppError } from '@atrium/service-kit/http/app-error';

/**
 * What to do about an email that could not be sent. `server-away`: the mail server, or our own store, is unavailable, and nothing is wrong
 * with the email; `interrupted`: the connection was lost before the content; `try-later`: this email was rejected for now; `uncertain`: the mail
 * server may have accepted it; `for-good`: it can never be sent.
 */
export type Failure = 'server-away' | 'interrupted' | 'try-later' | 'uncertain' | 'for-good';

/** How far an SMTP transaction got: not begun, before the server asked for the content, or after the content began to be sent. */
export type DeliveryPhase = 'connection' | 'envelope' | 'content';

/** A failed attempt of the mail transport, with the phase in which it failed. */
export class DeliveryError extends Error {
  readonly phase: DeliveryPhase;
  constructor(phase: DeliveryPhase, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.phase = phase;
  }
}

/** An email that no repetition can make right, such as one whose link cannot be opened. */
export class UnsendableMail extends Error {}

/** The transport's codes for a rejected envelope or message. */
const REJECTED = new Set(['EENVELOPE', 'EMESSAGE']);
/** The transport's codes for failures of the connection. */
const CONNECTION_LOST = new Set([
  ...['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ETLS', 'EPROTOCOL', 'EABORT', 'EPROXY'],
  ...['EAUTH', 'ENOAUTH', 'EOAUTH2'],
]);

/** Judges a failed attempt. What neither the transport nor the store reports is an error of ours, which no repetition makes right. */
export function judgeFailure(error: unknown): Failure {
  if (error instanceof DeliveryError) return judgeTransport(error);
  return error instanceof AppError && error.code === 'unavailable' ? 'server-away' : 'for-good';
}

/** By the class of the server's response (RFC 5321, section 4.2.1); without one, by how far the transaction got. */
function judgeTransport({ phase, cause }: DeliveryError): Failure {
  const { code, response, responseCode, permanent } = readError(cause);
  if (typeof code !== 'string') return 'for-good';
  if (REJECTED.has(code) && isReplyCode(responseCode)) return permanent === true ? 'for-good' : 'try-later';
  if (REJECTED.has(code)) return judgeUnreadable(phase, response);
  if (!CONNECTION_LOST.has(code)) return 'for-good';
  if (phase === 'connection') return 'server-away';
  if (responseCode !== undefined) return 'try-later';
  return phase === 'content' ? 'uncertain' : 'interrupted';
}

/** A response that rejects something: what else a server says is no answer to the command. */
const isReplyCode = (code: unknown) => typeof code === 'number' && code >= 400 && code < 600;

/** After the content the server has the email, whatever it meant; before it, an envelope without any response is malformed. */
function judgeUnreadable(phase: DeliveryPhase, response: unknown): Failure {
  if (phase === 'content') return 'uncertain';
  return typeof response === 'string' && response !== '' ? 'interrupted' : 'for-good';
}

function readError(error: unknown): {
  code?: unknown;
  response?: unknown;
  responseCode?: unknown;
  permanent?: unknown;
} {
  return typeof error === 'object' && error !== null ? error : {};
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const FIRST_MS = { 'server-away': SECOND, interrupted: SECOND, 'try-later': 10 * SECOND };
/** An unavailable server is soon asked again: nothing is wrong with the email, and it shall go with the server's return. */
const LONGEST_MS = { 'server-away': 5 * SECOND, interrupted: 60 * MINUTE, 'try-later': 60 * MINUTE };

/** How long to leave an email alone after its n-th attempt, doubling. While the server is unavailable nothing is attempted, so that counts little. */
export function attemptDelay(failure: keyof typeof FIRST_MS, attempt: number): number {
  return Math.min(FIRST_MS[failure] * 2 ** (attempt - 1), LONGEST_MS[failure]);
}

/** Each repetition may be one more copy for the recipient, so there are few, and long pauses between them. */
const UNCERTAIN_DELAYS_MS = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 60 * MINUTE, 240 * MINUTE];

/** How long to wait after the n-th attempt whose outcome is uncertain; undefined where there is no further one. */
export const uncertainDelay = (count: number): number | undefined => UNCERTAIN_DELAYS_MS[count - 1];
