import { connectRaw } from '../raw-socket.ts';
import { SEED_PASSWORD } from './seed-users.ts';

/** Replaces the status of a call without a response within a minute, or of a rejected socket. */
export const NO_RESPONSE = 0;

/** Number of responses by status. */
export type Tally = Record<number, number>;

export const count = (tally: Tally, status: number): void => {
  tally[status] = (tally[status] ?? 0) + 1;
};

type RequestParams = { address: string; token?: string | undefined; body?: unknown };

/** Sends a request from the given address; the gateway of the simulation trusts this machine as a proxy. */
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
  signIn(tally: Tally): Promise<number>;
  refreshTokens(tally: Tally): Promise<void>;
  /** A laptop that wakes: its screen sends requests with the old token, refreshes it, repeats the requests, and connects. */
  wake(tally: Tally): Promise<void>;
};

export function createOfficeUser({ url, email, address }: { url: string; email: string; address: string }): OfficeUser {
  let tokens: Tokens | undefined;
  let device: string | undefined;
  const call = async (tally: Tally, path: string, given: Omit<RequestParams, 'address'> = {}) => {
    const answer = await sendRequest(url, path, { address, ...given });
    count(tally, answer.status);
    return answer;
  };
  const openScreen = async (tally: Tally) => {
    for (const path of SCREEN) await call(tally, path, { token: tokens?.accessToken });
  };
  const refreshTokens = async (tally: Tally) => {
    const answer = await call(tally, '/auth/refresh', { body: { refreshToken: tokens?.refreshToken } });
    if (answer.status === 200) tokens = answer.body as Tokens;
  };
  return {
    email,
    refreshTokens,
    async signIn(tally) {
      await call(tally, '/auth/setup');
      const startedAt = performance.now();
      const body = { email, password: SEED_PASSWORD, ...(device !== undefined && { device }) };
      const answer = await call(tally, '/auth/login', { body });
      const durationMs = performance.now() - startedAt;
      if (answer.status !== 200) return durationMs;
      const given = answer.body as Tokens & { device?: string };
      tokens = given;
      device = given.device;
      await openScreen(tally);
      return durationMs;
    },
    async wake(tally) {
      await openScreen(tally);
      await refreshTokens(tally);
      await openScreen(tally);
      const headers = { 'x-forwarded-for': address };
      const socket = await connectRaw(url, '/live', { token: tokens?.accessToken }, headers).catch(() => undefined);
      count(tally, socket ? 101 : NO_RESPONSE);
      socket?.close();
    },
  };
}
