import { isRecord } from '../is-record.ts';
import { type ApiError, errorFromResponse, getRetryAfterMs, NO_REFRESH_TOKEN, networkError } from './api-error.ts';
import {
  accessToken,
  clearTokens,
  recordSessionEnd,
  refreshDueAt,
  refreshToken,
  storeTokens,
  type TokenPair,
} from './tokens.ts';

const TIMEOUT_MS = 10_000;
const EXPIRED = 'Your session has expired. Sign in again to continue.';

let pendingRefresh: Promise<string> | null = null;

/**
 * Calls share a promise; tabs take a lock and check whether another tab has refreshed. Only a rejection by
 * the server signs out; network errors keep the tokens.
 */
export function refreshAccessToken(rejectedToken: string | null): Promise<string> {
  pendingRefresh ??= withLock(() => rotate(rejectedToken)).finally(() => {
    pendingRefresh = null;
  });
  return pendingRefresh;
}

const RETRY_PAUSE_MS = 15_000;
/** Applies to one refresh token only, so that the token of the next user is refreshed in time. */
let pause = { token: '', until: 0 };

/** Failures are ignored unless they ended the session: the call itself will report them. */
export async function refreshBeforeExpiry(): Promise<void> {
  const dueAt = refreshDueAt();
  const token = refreshToken();
  const until = token === pause.token ? pause.until : 0;
  if (dueAt === null || Date.now() < Math.max(dueAt, until) || !token) return;
  try {
    await refreshAccessToken(accessToken());
  } catch (error) {
    if (!accessToken()) throw error;
    pause = { token, until: Date.now() + (getRetryAfterMs(error) || RETRY_PAUSE_MS) };
  }
}

async function rotate(rejectedToken: string | null): Promise<string> {
  const currentToken = accessToken();
  if (currentToken && currentToken !== rejectedToken) return currentToken;
  const token = refreshToken();
  if (!token) {
    clearTokens();
    return throwSignedOut();
  }
  const outcome = await exchange(token);
  // The user has meanwhile signed out or a different one has signed in, so this response is outdated.
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

/** Exchanges a refresh token for a new token pair without storing it. Throws on network errors. */
export async function exchange(token: string): Promise<{ pair: TokenPair } | { error: ApiError }> {
  const response = await send(token);
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && isTokenPair(body)) return { pair: body };
  return { error: errorFromResponse(response.status, body, (name) => response.headers.get(name)) };
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

/** Stores the tokens that `work` returns. Refreshes in all tabs wait for them. */
export const replaceTokens = (work: () => Promise<TokenPair>): Promise<void> =>
  withLock(async () => storeTokens(await work()));

let lastHolder: Promise<unknown> = Promise.resolve();

function withLocalLock<T>(work: () => Promise<T>): Promise<T> {
  const result = lastHolder.then(work, work);
  lastHolder = result.catch(() => undefined);
  return result;
}

/**
 * Over plain HTTP, Web Locks are unavailable: then only refreshes of this tab wait for each other, and the server's grace
 * period covers those of other tabs.
 */
function withLock<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request('atrium-refresh', work) : withLocalLock(work);
}

const isTokenPair = (body: unknown): body is TokenPair =>
  isRecord(body) && typeof body.accessToken === 'string' && typeof body.refreshToken === 'string';
