import { connectRaw } from '../raw-socket.ts';
import { SEED_PASSWORD } from './seed-users.ts';

/** Counts as the status of a call without a response within a minute, and of a rejected socket. */
export const NO_RESPONSE = 0;

/** Number of responses by status. */
export type StatusCounts = Record<number, number>;

export const count = (counts: StatusCounts, status: number): void => {
  counts[status] = (counts[status] ?? 0) + 1;
};

type RequestParams = { address: string; token?: string | undefined; body?: unknown };

/** Sends a request from an address. The gateway of the simulation trusts this machine as a proxy. */
export async function sendRequest(url: string, path: string, params: RequestParams) {
  try {
    return await fetchJson(url, path, params);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return { status: NO_RESPONSE, body: undefined };
    throw error;
  }
}

async function fetchJson(url: string, path: string, { address, token, body }: RequestParams) {
  const response = await fetch(`${url}/api${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'x-forwarded-for': address,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

type Tokens = { accessToken: string; refreshToken: string };

/** The requests of a browser that opens the dashboard. */
const SCREEN = [
  '/health',
  '/users/profile',
  '/projects?limit=6',
  '/meetings/upcoming?limit=5',
  '/chat/conversations?limit=20',
];

/** One office user with a browser. */
export type OfficeUser = {
  email: string;
  /** Opens the sign-in page, signs in, and loads the dashboard; returns the milliseconds of the sign-in alone. */
  signIn(counts: StatusCounts): Promise<number>;
  refreshTokens(counts: StatusCounts): Promise<void>;
  /**
   * Simulates a waking laptop: it sends requests with the old token, refreshes it, repeats the requests, and connects.
   */
  wake(counts: StatusCounts): Promise<void>;
};

export function createOfficeUser({ url, email, address }: { url: string; email: string; address: string }): OfficeUser {
  let tokens: Tokens | undefined;
  let device: string | undefined;
  const call = async (counts: StatusCounts, path: string, request: Omit<RequestParams, 'address'> = {}) => {
    const response = await sendRequest(url, path, { address, ...request });
    count(counts, response.status);
    return response;
  };
  const openScreen = async (counts: StatusCounts) => {
    for (const path of SCREEN) await call(counts, path, { token: tokens?.accessToken });
  };
  const refreshTokens = async (counts: StatusCounts) => {
    const response = await call(counts, '/auth/refresh', { body: { refreshToken: tokens?.refreshToken } });
    if (response.status === 200) tokens = response.body as Tokens;
  };
  return {
    email,
    refreshTokens,
    async signIn(counts) {
      await call(counts, '/auth/setup');
      const startedAt = performance.now();
      const body = { email, password: SEED_PASSWORD, ...(device !== undefined && { device }) };
      const response = await call(counts, '/auth/login', { body });
      const durationMs = performance.now() - startedAt;
      if (response.status !== 200) return durationMs;
      const session = response.body as Tokens & { device?: string };
      tokens = session;
      device = session.device;
      await openScreen(counts);
      return durationMs;
    },
    async wake(counts) {
      await openScreen(counts);
      await refreshTokens(counts);
      await openScreen(counts);
      const headers = { 'x-forwarded-for': address };
      const socket = await connectRaw(url, '/live', { token: tokens?.accessToken }, headers).catch(() => undefined);
      count(counts, socket ? 101 : NO_RESPONSE);
      socket?.close();
    },
  };
}
