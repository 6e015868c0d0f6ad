import { type Ask, emailOf, PASSWORD, type Viewer } from '../views.ts';
import { call, type Heard } from './caller.ts';
import type { Ledger } from './ledger.ts';

/** One of the demo's people at work, signed in. */
export type Worker = {
  first: string;
  id: string;
  token: string;
  refreshToken: string;
  /** Calls, notes how it ended, and answers the body where it has that status. */
  ask<T>(method: string, path: string, body?: unknown, expected?: number): Promise<T | undefined>;
  upload<T>(path: string, form: FormData): Promise<T | undefined>;
};

type Tokens = { accessToken: string; refreshToken: string; user: { _id: string } };

/** Signs in; the call is noted like every other. */
export async function signIn(base: string, first: string, ledger: Ledger): Promise<Tokens | undefined> {
  const json = { email: emailOf(first), password: PASSWORD };
  const heard = await call(base, { method: 'POST', path: '/auth/login', body: { json } });
  ledger.note('POST /auth/login', heard);
  return heard.status === 200 ? (heard.body as Tokens) : undefined;
}

/** Asks one process by itself, with tokens from elsewhere. Throws for any answer but 200. */
export function askAt({ tokensFrom, url }: { tokensFrom: string; url: string }): Ask {
  const tokens = new Map<Viewer, Promise<string>>();
  const tokenOf = async (who: Viewer) => {
    const json = { email: emailOf(who), password: PASSWORD };
    const { body } = await call(tokensFrom, { method: 'POST', path: '/auth/login', body: { json } });
    return (body as Tokens).accessToken;
  };
  return async (who, path) => {
    if (!tokens.has(who)) tokens.set(who, tokenOf(who));
    const token = await tokens.get(who);
    const { status, body } = await call(url, { method: 'GET', path, token });
    if (status !== 200) throw new Error(`${who} ${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
}

/** The way of a call without its ids. */
const nameOf = (method: string, path: string): string =>
  `${method} ${path.replace(/\?.*/, '').replaceAll(/[0-9a-f]{24}/g, ':id')}`;

export async function hire(base: string, first: string, ledger: Ledger): Promise<Worker> {
  const tokens = await signIn(base, first, ledger);
  if (!tokens) throw new Error(`${first} could not sign in`);
  const worker: Worker = {
    first,
    id: tokens.user._id,
    token: tokens.accessToken,
    refreshToken: tokens.refreshToken,
    async ask<T>(method: string, path: string, json?: unknown, expected = method === 'POST' ? 201 : 200) {
      const heard = await call(base, {
        method,
        path,
        token: worker.token,
        ...(json !== undefined && { body: { json } }),
      });
      return settled<T>(nameOf(method, path), heard, expected);
    },
    async upload<T>(path: string, form: FormData) {
      const heard = await call(base, { method: 'POST', path, token: worker.token, body: { form } });
      return settled<T>(nameOf('POST', path), heard, 201);
    },
  };
  const settled = <T>(name: string, heard: Heard, expected: number): T | undefined => {
    ledger.note(name, heard);
    return heard.status === expected ? (heard.body as T) : undefined;
  };
  return worker;
}
