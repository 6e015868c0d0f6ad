import type { CallOf, Endpoint, ResponseOf } from '@atrium/proto-events/endpoint';
import { buildPath } from '../paths.ts';
import { refreshAccessToken, refreshBeforeExpiry } from '../session/refresh.ts';
import { accessToken, tokenOwner } from '../session/tokens.ts';
import { ApiError, errorFromResponse, networkError, requestError } from './api-error.ts';
import { takePreloaded } from './preloaded-responses.ts';

export const API_PREFIX = '/api';
const TIMEOUT_MS = 10_000;

/** `POST /projects`: an endpoint's method and path, checked against its contract, so that no schema is loaded to make a call. */
export type Route<E extends Endpoint> = `${E['method']} ${E['path']}`;

/** What the endpoint takes: `params` and `body` where it declares them, `query` in part. */
export type CallInput<E extends Endpoint> = (CallOf<E>['params'] extends undefined
  ? { params?: undefined }
  : { params: CallOf<E>['params'] }) &
  (CallOf<E>['body'] extends undefined ? { body?: undefined } : { body: CallOf<E>['body'] }) & {
    query?: Partial<Extract<CallOf<E>['query'], object>> | undefined;
  };

export type CallOptions = {
  signal?: AbortSignal | undefined;
  headers?: Record<string, string> | undefined;
  timeoutMs?: number | undefined;
  /** Sends no token and refreshes none: signing in, and what is asked before it. */
  isAnonymous?: boolean | undefined;
};

type Input = { params?: unknown; query?: unknown; body?: unknown };

/**
 * Calls an endpoint: `call<typeof createProject>('POST /projects', { body })`, with `createProject` imported as a type.
 * Rejects with `ApiError` only. A 401 is answered by one refresh and one repetition.
 */
export async function call<E extends Endpoint>(
  route: Route<E>,
  input: CallInput<E>,
  options: CallOptions = {},
): Promise<ResponseOf<E>> {
  // The type of the answer is the contract's; the service has parsed it by the same schema before sending.
  return (await request(route, input, options)) as ResponseOf<E>;
}

/** Reads a path below the prefix as SWR keys it. */
export function read(path: string): Promise<unknown> {
  return withRefresh((token) => send('GET', path, undefined, {}, token));
}

function request(route: string, input: Input, options: CallOptions): Promise<unknown> {
  const [method = 'GET', path = '/'] = route.split(' ');
  const url = buildPath(path, recordOf(input.params), recordOf(input.query));
  if (options.isAnonymous) return send(method, url, input.body, options, null);
  return withRefresh((token) => send(method, url, input.body, options, token));
}

/**
 * Runs a call with the stored token, renewed in time, and, refused all the same, once more with a renewed one. Only for who began it:
 * should somebody else have signed in meanwhile, in another tab, nothing is done in their name.
 */
export async function withRefresh<T>(attempt: (token: string | null) => Promise<T>): Promise<T> {
  const owner = tokenOwner();
  await refreshBeforeExpiry();
  if (tokenOwner() !== owner) throw otherUserError();
  const token = accessToken();
  try {
    return await attempt(token);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401 || token === null) throw error;
    const renewed = await refreshAccessToken(token);
    if (tokenOwner() !== owner) throw error;
    return attempt(renewed);
  }
}

const otherUserError = () =>
  errorFromResponse(401, { code: 'unauthorized', message: 'Somebody else has signed in in this browser' });

async function send(method: string, path: string, body: unknown, options: CallOptions, token: string | null) {
  const early = method === 'GET' ? await takePreloaded(path, token) : undefined;
  const answer = early?.answer ?? (await sendRequest(method, path, body, options, token));
  const parsed = early?.body ?? (await bodyOf(answer));
  if (!answer.ok) throw errorFromResponse(answer.status, parsed, (name) => answer.headers.get(name));
  return parsed;
}

function sendRequest(method: string, path: string, body: unknown, options: CallOptions, token: string | null) {
  return fetchOrFail(`${API_PREFIX}${path}`, {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: deadline(options),
  });
}

async function fetchOrFail(url: string, init: RequestInit): Promise<Response> {
  let asked: Request;
  try {
    asked = new Request(new URL(url, window.location.origin), init);
  } catch {
    throw requestError();
  }
  try {
    return await fetch(asked);
  } catch {
    throw networkError();
  }
}

function deadline({ signal, timeoutMs = TIMEOUT_MS }: CallOptions): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

async function bodyOf(answer: Response): Promise<unknown> {
  if (answer.status === 204 || answer.status === 202) return undefined;
  try {
    return await answer.json();
  } catch {
    if (answer.ok) throw networkError();
    return null;
  }
}

function recordOf(value: unknown): Record<string, string> | undefined {
  return typeof value === 'object' && value !== null ? { ...(value as Record<string, string>) } : undefined;
}
