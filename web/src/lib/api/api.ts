import type { CallOf, Endpoint, ResponseOf } from '@atrium/proto-events/endpoint';
import { insertPeople } from '@atrium/proto-events/insert-people';
import { buildPath } from '../paths.ts';
import { ApiError, errorFromResponse, networkError, requestError } from './api-error.ts';
import { takePreloaded } from './preloaded-responses.ts';
import { refreshAccessToken, refreshBeforeExpiry } from './refresh-tokens.ts';
import { accessToken, tokenOwner } from './tokens.ts';

export const API_PREFIX = '/api';
const TIMEOUT_MS = 10_000;

/** Checked against the contract at compile time, so that calls load no schema. */
export type Route<E extends Endpoint> = `${E['method']} ${E['path']}`;

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
  isAnonymous?: boolean | undefined;
  /** Whether it continues after the page is closed; for bodies of up to 64 KB. */
  keepalive?: boolean | undefined;
};

type Input = { params?: unknown; query?: unknown; body?: unknown };

/**
 * Calls an endpoint: `call<typeof createProject>('POST /projects', { body })`, with `createProject` imported as a type.
 * Rejects with `ApiError` only. A 401 causes one refresh and one retry.
 */
export async function call<E extends Endpoint>(
  route: Route<E>,
  input: CallInput<E>,
  options: CallOptions = {},
): Promise<ResponseOf<E>> {
  // The service has validated the response against the contract.
  return (await request(route, input, options)) as ResponseOf<E>;
}

export function read(path: string, options: CallOptions = {}): Promise<unknown> {
  return withRefresh((token) => send('GET', path, undefined, options, token));
}

function request(route: string, input: Input, options: CallOptions): Promise<unknown> {
  const [method = 'GET', path = '/'] = route.split(' ');
  const url = buildPath(path, toRecord(input.params), toRecord(input.query));
  if (options.isAnonymous) return send(method, url, input.body, options, null);
  return withRefresh((token) => send(method, url, input.body, options, token));
}

/** Never runs `attempt` as a different user who has meanwhile signed in in another tab. */
export async function withRefresh<T>(attempt: (token: string | null) => Promise<T>): Promise<T> {
  const owner = tokenOwner();
  await refreshBeforeExpiry();
  if (tokenOwner() !== owner) throw otherUserError();
  const token = accessToken();
  try {
    return await attempt(token);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401 || token === null) throw error;
    const renewedToken = await refreshAccessToken(token);
    if (tokenOwner() !== owner) throw error;
    return attempt(renewedToken);
  }
}

const otherUserError = () =>
  errorFromResponse(401, { code: 'unauthorized', message: 'Another user has signed in in this browser' });

async function send(method: string, path: string, body: unknown, options: CallOptions, token: string | null) {
  const preloaded = method === 'GET' ? await takePreloaded(path, token) : undefined;
  const response = preloaded?.response ?? (await sendRequest(method, path, body, options, token));
  const parsed = preloaded?.body ?? (await parseBody(response));
  if (!response.ok) throw errorFromResponse(response.status, parsed, (name) => response.headers.get(name));
  return insertPeople(parsed);
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
    keepalive: options.keepalive ?? false,
    signal: deadline(options),
  });
}

async function fetchOrFail(url: string, init: RequestInit): Promise<Response> {
  let httpRequest: Request;
  try {
    httpRequest = new Request(new URL(url, window.location.origin), init);
  } catch {
    throw requestError();
  }
  try {
    return await fetch(httpRequest);
  } catch {
    throw networkError();
  }
}

function deadline({ signal, timeoutMs = TIMEOUT_MS }: CallOptions): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

async function parseBody(response: Response): Promise<unknown> {
  if (response.status === 204 || (response.status === 202 && !response.headers.has('content-type'))) return undefined;
  try {
    return await response.json();
  } catch {
    if (response.ok) throw networkError();
    return null;
  }
}

function toRecord(value: unknown): Record<string, string> | undefined {
  return typeof value === 'object' && value !== null ? { ...(value as Record<string, string>) } : undefined;
}
