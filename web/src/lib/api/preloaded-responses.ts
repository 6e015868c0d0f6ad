import { networkError } from './api-error.ts';
import { accessToken } from './tokens.ts';

/**
 * The requests that `public/early-boot.js` sends before the scripts load, by path below the prefix, and the token they
 * were sent with.
 */
type PreloadedResponses = {
  token: string;
  time: number;
  ticks: number;
  responses: Partial<Record<string, Promise<Response>>>;
  /** Bodies that have arrived. */
  bodies: Partial<Record<string, unknown>>;
};

declare global {
  var preloadedResponses: PreloadedResponses | undefined;
}

/** Older responses are discarded. */
const MAX_AGE_MS = 10_000;

function current(): PreloadedResponses | undefined {
  if (globalThis.preloadedResponses && performance.now() - globalThis.preloadedResponses.ticks > MAX_AGE_MS)
    globalThis.preloadedResponses = undefined;
  return globalThis.preloadedResponses;
}

/**
 * When the path was requested, by `Date.now()` and `performance.now()`; undefined if it was not, or the response was
 * taken.
 */
export function preloadedAt(path: string): { time: number; ticks: number } | undefined {
  const preloaded = current();
  return preloaded?.responses[path] && { time: preloaded.time, ticks: preloaded.ticks };
}

/** The body if it has arrived, for the first render until `takePreloaded` returns the response. */
export function preloadedBody(path: string): unknown {
  const preloaded = current();
  return preloaded?.token === accessToken() ? preloaded.bodies[path] : undefined;
}

/** `body`: if it has been read already. */
type Preloaded = { response: Response; body: unknown };

/**
 * Returns the response of a preloaded request with the same token, once; undefined if there is none or it is a 401, so
 * that the caller sends the request. Other errors are returned with their `Retry-After`. Throws `ApiError` after a
 * timeout.
 */
export async function takePreloaded(path: string, token: string | null): Promise<Preloaded | undefined> {
  const preloaded = current();
  const pending = preloaded?.responses[path];
  if (!preloaded || !pending) return undefined;
  delete preloaded.responses[path];
  if (preloaded.token !== token) return undefined;
  try {
    const response = await pending;
    const body = preloaded.bodies[path];
    delete preloaded.bodies[path];
    return response.status === 401 ? undefined : { response, body };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') throw networkError();
    return undefined;
  }
}
