import { AppError } from '@atrium/service-kit/errors/app-error';

/**
 * How to handle a failed delivery. `server-unavailable`: the mail server or the store is unavailable; `interrupted`: the connection was
 * lost before the content; `try-later`: the server temporarily rejected the email; `uncertain`: the server may have accepted it;
 * `permanent`: it can never be sent.
 */
export type Failure = 'server-unavailable' | 'interrupted' | 'try-later' | 'uncertain' | 'permanent';

/** How far an SMTP transaction got: not started, before the server asked for the content, or while the content was being sent. */
export type DeliveryPhase = 'connection' | 'envelope' | 'content';

export class DeliveryError extends Error {
  readonly phase: DeliveryPhase;
  constructor(phase: DeliveryPhase, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.phase = phase;
  }
}

export class UnsendableEmailError extends Error {}

const REJECTED = new Set(['EENVELOPE', 'EMESSAGE']);
const CONNECTION_LOST = /^E(?:CONNECTION|TIMEDOUT|SOCKET|DNS|TLS|PROTOCOL|ABORT|PROXY|AUTH|NOAUTH|OAUTH2)$/;

/** Classifies a failed attempt. Errors of neither the transport nor the store are bugs, which a retry does not fix. */
export function classifyFailure(error: unknown): Failure {
  if (error instanceof DeliveryError) return classifyTransportFailure(error);
  return error instanceof AppError && error.code === 'unavailable' ? 'server-unavailable' : 'permanent';
}

/** By the class of the reply code (RFC 5321, section 4.2.1); without one, by the phase of the transaction. */
function classifyTransportFailure({ phase, cause }: DeliveryError): Failure {
  const { code, response, responseCode, permanent } = readError(cause);
  if (typeof code !== 'string') return 'permanent';
  if (REJECTED.has(code) && isReplyCode(responseCode)) return permanent === true ? 'permanent' : 'try-later';
  if (REJECTED.has(code)) return classifyUnreadableResponse(phase, response);
  if (!CONNECTION_LOST.test(code)) return 'permanent';
  if (phase === 'connection') return 'server-unavailable';
  if (responseCode !== undefined) return 'try-later';
  return phase === 'content' ? 'uncertain' : 'interrupted';
}

/** Only 4xx and 5xx reject a command. */
const isReplyCode = (code: unknown) => typeof code === 'number' && code >= 400 && code < 600;

/** After the content, the server has the email in any case; before it, an envelope without any response is malformed. */
function classifyUnreadableResponse(phase: DeliveryPhase, response: unknown): Failure {
  if (phase === 'content') return 'uncertain';
  return typeof response === 'string' && response !== '' ? 'interrupted' : 'permanent';
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
const INITIAL_DELAY_MS = { 'server-unavailable': SECOND, interrupted: SECOND, 'try-later': 10 * SECOND };
/** Short while the server is unavailable, so that emails leave soon after it recovers. */
const MAX_DELAY_MS = { 'server-unavailable': 5 * SECOND, interrupted: 60 * MINUTE, 'try-later': 60 * MINUTE };

export function attemptDelay(failure: keyof typeof INITIAL_DELAY_MS, attempt: number): number {
  return Math.min(INITIAL_DELAY_MS[failure] * 2 ** (attempt - 1), MAX_DELAY_MS[failure]);
}

/** Each retry may deliver a duplicate, so there are few of them, with long delays. */
const UNCERTAIN_DELAYS_MS = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 60 * MINUTE, 240 * MINUTE];

export const uncertainDelay = (count: number): number | undefined => UNCERTAIN_DELAYS_MS[count - 1];
