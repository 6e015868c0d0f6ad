import { networkError } from './api-error.ts';
import { accessToken } from './tokens.ts';

/** Requests that `public/early-boot.js` sends before the scripts load, by path below the prefix. */
type PreloadedResponses = {
  token: string;
  time: number;
  ticks: number;
  responses: Partial<Record<string, Promise<Response>>>;
  bodies: Partial<Record<string, unknown>>;
};

declare global {
  var preloadedResponses: PreloadedResponses | undefined;
}

const MAX_AGE_MS = 10_000;

function current(): PreloadedResponses | undefined {
  if (globalThis.preloadedResponses && performance.now() - globalThis.preloadedResponses.ticks > MAX_AGE_MS)
    globalThis.preloadedResponses = undefined;
  return globalThis.preloadedResponses;
}

/** By `Date.now()` and `performance.now()`; undefined if not requested or already taken. */
export function preloadedAt(path: string): { time: number; ticks: number } | undefined {
  const preloaded = current();
  return preloaded?.responses[path] && { time: preloaded.time, ticks: preloaded.ticks };
}

export function preloadedBody(path: string): unknown {
  const preloaded = current();
  return preloaded?.token === accessToken() ? preloaded.bodies[path] : undefined;
}

type Preloaded = { response: Response; body: unknown };

/**
 * Undefined if there is none or it is a 401. Other errors are returned with their `Retry-After`. Throws
 * `ApiError` after a timeout.
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
