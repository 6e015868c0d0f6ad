import { insertPeople } from '@atrium/proto-events/insert-people';
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

function getUnexpired(): PreloadedResponses | undefined {
  if (globalThis.preloadedResponses && performance.now() - globalThis.preloadedResponses.ticks > MAX_AGE_MS)
    globalThis.preloadedResponses = undefined;
  return globalThis.preloadedResponses;
}

/** Returns when the request was sent, by both clocks. Undefined if it was not sent or its response is already taken. */
export function preloadedAt(path: string): { time: number; ticks: number } | undefined {
  const preloaded = getUnexpired();
  return preloaded?.responses[path] && { time: preloaded.time, ticks: preloaded.ticks };
}

export function preloadedBody(path: string): unknown {
  const preloaded = getUnexpired();
  return preloaded?.token === accessToken() ? insertPeople(preloaded.bodies[path]) : undefined;
}

type Preloaded = { response: Response; body: unknown };

/**
 * Returns undefined if there is no preloaded response or it is a 401. Other errors are returned with their
 * `Retry-After`. Throws `ApiError` after a timeout.
 */
export async function takePreloaded(path: string, token: string | null): Promise<Preloaded | undefined> {
  const preloaded = getUnexpired();
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
