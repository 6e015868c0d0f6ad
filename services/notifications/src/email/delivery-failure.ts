import { AppError } from '@atrium/service-kit/errors/app-error';

/**
 * How to handle a failed delivery. `server-unavailable`: the mail server or the store is unavailable; `interrupted`:
 * the connection was lost before the content; `try-later`: the server temporarily rejected the email; `uncertain`: the
 * server may have accepted it; `permanent`: it can never be sent.
 */
export type Failure = 'server-unavailable' | 'interrupted' | 'try-later' | 'uncertain' | 'permanent';

/**
 * How far an SMTP transaction got: not started, before the server asked for the content, or while the content was being
 * sent.
 */
export type DeliveryPhase = 'connection' | 'envelope' | 'content';

export class DeliveryError extends Error {
  readonly phase: DeliveryPhase;
  constructor(phase: DeliveryPhase, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.phase = phase;
  }
}

export class UnsendableEmailError extends Error {}

const REJECTION_CODES = new Set(['EENVELOPE', 'EMESSAGE']);
const CONNECTION_ERROR_CODE = /^E(?:CONNECTION|TIMEDOUT|SOCKET|DNS|TLS|PROTOCOL|ABORT|PROXY|AUTH|NOAUTH|OAUTH2)$/;

/** Classifies a failed attempt. Errors of neither the transport nor the store are bugs, which a retry does not fix. */
export function classifyFailure(error: unknown): Failure {
  if (error instanceof DeliveryError) return classifyTransportFailure(error);
  return error instanceof AppError && error.code === 'unavailable' ? 'server-unavailable' : 'permanent';
}

/** Classifies by the reply code (RFC 5321, section 4.2.1) or, if there is none, by the phase of the transaction. */
function classifyTransportFailure({ phase, cause }: DeliveryError): Failure {
  const { code, response, responseCode, permanent } = toErrorFields(cause);
  if (typeof code !== 'string') return 'permanent';
  if (REJECTION_CODES.has(code) && isReplyCode(responseCode)) return permanent === true ? 'permanent' : 'try-later';
  if (REJECTION_CODES.has(code)) return classifyUnreadableResponse(phase, response);
  if (!CONNECTION_ERROR_CODE.test(code)) return 'permanent';
  if (phase === 'connection') return 'server-unavailable';
  if (responseCode !== undefined) return 'try-later';
  return phase === 'content' ? 'uncertain' : 'interrupted';
}

/** Only 4xx and 5xx reject a command. */
const isReplyCode = (code: unknown) => typeof code === 'number' && code >= 400 && code < 600;

/** Once the content was sent, the server has the email. Before that, an envelope that got no response is malformed. */
function classifyUnreadableResponse(phase: DeliveryPhase, response: unknown): Failure {
  if (phase === 'content') return 'uncertain';
  return typeof response === 'string' && response !== '' ? 'interrupted' : 'permanent';
}

function toErrorFields(error: unknown): {
  code?: unknown;
  response?: unknown;
  responseCode?: unknown;
  permanent?: unknown;
} {
  return typeof error === 'object' && error !== null ? error : {};
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const INITIAL_DELAY_MS = { 'server-unavailable': SECOND_MS, interrupted: SECOND_MS, 'try-later': 10 * SECOND_MS };
/** Kept short while the server is unavailable, so that emails are sent soon after it recovers. */
const MAX_DELAY_MS = { 'server-unavailable': 5 * SECOND_MS, interrupted: 60 * MINUTE_MS, 'try-later': 60 * MINUTE_MS };

export function getRetryDelay(failure: keyof typeof INITIAL_DELAY_MS, attempt: number): number {
  return Math.min(INITIAL_DELAY_MS[failure] * 2 ** (attempt - 1), MAX_DELAY_MS[failure]);
}

/** Each retry may deliver a duplicate, so there are few of them, with long delays. */
const UNCERTAIN_DELAYS_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS, 240 * MINUTE_MS];

export const getUncertainRetryDelay = (count: number): number | undefined => UNCERTAIN_DELAYS_MS[count - 1];
