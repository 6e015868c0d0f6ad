import { connectRaw } from '../raw-socket.ts';
import { OFFICE_PASSWORD } from './seed-users.ts';

/** Stands for a status: of a call that got no answer within a minute, of a socket that was not let in. */
export const NO_ANSWER = 0;

/** How often each status was answered. */
export type Tally = Record<number, number>;

export const count = (tally: Tally, status: number): void => {
  tally[status] = (tally[status] ?? 0) + 1;
};

type Asked = { address: string; token?: string | undefined; body?: unknown };

/** Any call, as if it came from that address: the gateway of the simulation trusts this machine as a proxy. */
export async function ask(url: string, path: string, asked: Asked) {
  try {
    return await fetchJson(url, path, asked);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return { status: NO_ANSWER, body: undefined };
    throw error;
  }
}

async function fetchJson(url: string, path: string, { address, token, body }: Asked) {
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

/** What a browser asks for when its screen opens. */
const SCREEN = [
  '/health',
  '/users/profile',
  '/projects?limit=6',
  '/meetings/upcoming?limit=5',
  '/chat/conversations?limit=20',
];

/** One person of an office and their browser. */
export type Neighbour = {
  email: string;
  /** Opens the sign-in page, signs in and sees the dashboard; answers the milliseconds of the sign-in alone. */
  signIn(tally: Tally): Promise<number>;
  renew(tally: Tally): Promise<void>;
  /** A laptop that opens: its screen asks with the token it fell asleep with, renews it, asks again and connects. */
  wake(tally: Tally): Promise<void>;
};

export function createNeighbour({ url, email, address }: { url: string; email: string; address: string }): Neighbour {
  let tokens: Tokens | undefined;
  let device: string | undefined;
  const call = async (tally: Tally, path: string, given: Omit<Asked, 'address'> = {}) => {
    const answer = await ask(url, path, { address, ...given });
    count(tally, answer.status);
    return answer;
  };
  const openScreen = async (tally: Tally) => {
    for (const path of SCREEN) await call(tally, path, { token: tokens?.accessToken });
  };
  const renew = async (tally: Tally) => {
    const answer = await call(tally, '/auth/refresh', { body: { refreshToken: tokens?.refreshToken } });
    if (answer.status === 200) tokens = answer.body as Tokens;
  };
  return {
    email,
    renew,
    async signIn(tally) {
      await call(tally, '/auth/setup');
      const begun = performance.now();
      const body = { email, password: OFFICE_PASSWORD, ...(device !== undefined && { device }) };
      const answer = await call(tally, '/auth/login', { body });
      const took = performance.now() - begun;
      if (answer.status !== 200) return took;
      const given = answer.body as Tokens & { device?: string };
      tokens = given;
      device = given.device;
      await openScreen(tally);
      return took;
    },
    async wake(tally) {
      await openScreen(tally);
      await renew(tally);
      await openScreen(tally);
      const headers = { 'x-forwarded-for': address };
      const socket = await connectRaw(url, '/live', { token: tokens?.accessToken }, headers).catch(() => undefined);
      count(tally, socket ? 101 : NO_ANSWER);
      socket?.close();
    },
  };
}
