import { accessToken } from '../session/tokens.ts';
import { networkError } from './api-error.ts';

/** What `public/early-boot.js` has asked for beside the scripts, by its path below the prefix, with the token that it was asked with. */
type PreloadedResponses = {
  token: string;
  time: number;
  ticks: number;
  answers: Partial<Record<string, Promise<Response>>>;
  /** What has come by now. The page of a release before has none. */
  bodies?: Partial<Record<string, unknown>>;
};

declare global {
  var askedEarly: PreloadedResponses | undefined;
}

/** Nobody takes an answer for news that the screen has not asked for by then. */
const MAX_AGE_MS = 10_000;

function current(): PreloadedResponses | undefined {
  if (globalThis.askedEarly && performance.now() - globalThis.askedEarly.ticks > MAX_AGE_MS)
    globalThis.askedEarly = undefined;
  return globalThis.askedEarly;
}

/** When it was asked for, by `Date.now()` and `performance.now()`; undefined where it was not, or somebody has taken the answer. */
export function preloadedAt(path: string): { time: number; ticks: number } | undefined {
  const preloaded = current();
  return preloaded?.answers[path] && { time: preloaded.time, ticks: preloaded.ticks };
}

/** What has come by now, to be drawn until `takeEarly` has given it for good; undefined where nothing has. */
export function preloadedBody(path: string): unknown {
  const preloaded = current();
  return preloaded?.token === accessToken() ? preloaded?.bodies?.[path] : undefined;
}

/** `body`: what is in it, where that has been read already. */
type Preloaded = { answer: Response; body: unknown };

/**
 * The answer to what was asked for early with the same token, once; undefined where there is none, or the token is not heard any more: then
 * it is to be asked for. Any other refusal is one, with its `Retry-After`. Throws `ApiError` where nothing came for as long as is waited.
 */
export async function takePreloaded(path: string, token: string | null): Promise<Preloaded | undefined> {
  const preloaded = current();
  const pending = preloaded?.answers[path];
  if (!preloaded || !pending) return undefined;
  delete preloaded.answers[path];
  if (preloaded.token !== token) return undefined;
  try {
    const answer = await pending;
    const body = preloaded.bodies?.[path];
    delete preloaded.bodies?.[path];
    return answer.status === 401 ? undefined : { answer, body };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') throw networkError();
    return undefined;
  }
}
