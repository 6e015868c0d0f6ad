import { type ApiError, errorFromResponse, NO_REFRESH_TOKEN, networkError, getRetryAfterMs } from '../api/api-error.ts';
import {
  accessToken,
  clearTokens,
  recordSessionEnd,
  refreshToken,
  refreshDueAt,
  storeTokens,
  type TokenPair,
} from './tokens.ts';

const TIMEOUT_MS = 10_000;
/** The server knows every other reason. */
const EXPIRED = 'Your session has expired. Sign in again to continue.';

let pendingRefresh: Promise<string> | null = null;

/**
 * A fresh access token in place of the refused one. However many calls are refused at once, in however many tabs, the
 * refresh token is used once: this tab shares one promise, and the tabs queue for a lock and first look whether another
 * has already rotated. Only a refusal by the server signs out; without a network the tokens stay.
 */
export function refreshAccessToken(rejectedToken: string | null): Promise<string> {
  pendingRefresh ??= withLock(() => rotate(rejectedToken)).finally(() => {
    pendingRefresh = null;
  });
  return pendingRefresh;
}

/** After a renewal that failed: the token that is still good serves meanwhile. */
const RETRY_PAUSE_MS = 15_000;
/** For whom, by their refresh token: the next person's is renewed in its own time. */
let paused = { token: '', until: 0 };

/**
 * Renews the access token before it expires, so that no call is refused for it. One that fails is left to the calls themselves, unless
 * the session has ended with it.
 */
export async function refreshBeforeExpiry(): Promise<void> {
  const dueAt = refreshDueAt();
  const token = refreshToken();
  const until = token === paused.token ? paused.until : 0;
  if (dueAt === null || Date.now() < Math.max(dueAt, until) || !token) return;
  try {
    await refreshAccessToken(accessToken());
  } catch (error) {
    if (!accessToken()) throw error;
    paused = { token, until: Date.now() + (getRetryAfterMs(error) || RETRY_PAUSE_MS) };
  }
}

async function rotate(rejectedToken: string | null): Promise<string> {
  const present = accessToken();
  if (present && present !== rejectedToken) return present;
  const token = refreshToken();
  if (!token) {
    clearTokens();
    return throwSignedOut();
  }
  const outcome = await exchange(token);
  // Whoever left or came meanwhile has decided who is here: the answer is about someone before.
  if (refreshToken() !== token) return accessToken() ?? throwSignedOut();
  if ('pair' in outcome) {
    storeTokens(outcome.pair);
    return outcome.pair.accessToken;
  }
  if (outcome.error.status === 401 || outcome.error.status === 400) {
    recordSessionEnd(outcome.error.code === 'session_ended' ? outcome.error.message : EXPIRED);
    clearTokens();
  }
  throw outcome.error;
}

/** Gives a refresh token for the two that follow it, and stores neither. Throws where the server cannot be reached. */
export async function exchange(token: string): Promise<{ pair: TokenPair } | { error: ApiError }> {
  const answer = await send(token);
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok && isTokenPair(body)) return { pair: body };
  return { error: errorFromResponse(answer.status, body, (name) => answer.headers.get(name)) };
}

function throwSignedOut(): never {
  throw errorFromResponse(401, { message: NO_REFRESH_TOKEN, code: 'unauthorized' });
}

async function send(token: string): Promise<Response> {
  try {
    return await fetch('/api/auth/refresh', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken: token }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    throw networkError();
  }
}

/** Stores the tokens that `work` returns. Renewals in all tabs wait for them. */
export const replaceTokens = (work: () => Promise<TokenPair>): Promise<void> =>
  withLock(async () => storeTokens(await work()));

let lastHolder: Promise<unknown> = Promise.resolve();

/** For browsers without Web Locks: sequential within this tab. */
function withLocalLock<T>(work: () => Promise<T>): Promise<T> {
  const held = lastHolder.then(work, work);
  lastHolder = held.catch(() => undefined);
  return held;
}

/** Web Locks reach across tabs; where a browser lacks them (plain HTTP) this tab alone is ordered, and the server's grace does the rest. */
function withLock<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request('atrium-refresh', work) : withLocalLock(work);
}

function isTokenPair(body: unknown): body is TokenPair {
  return (
    typeof body === 'object' &&
    body !== null &&
    'accessToken' in body &&
    typeof body.accessToken === 'string' &&
    'refreshToken' in body &&
    typeof body.refreshToken === 'string'
  );
}
