import { setTimeout as pause } from 'node:timers/promises';
import type { Role } from '@atrium/proto-events/people';
import { isFault, type Ledger } from './acknowledged-writes.ts';
import { type Body, call, type Heard, newKey } from './caller.ts';
import { type Ask, emailOf, PASSWORD, type Viewer } from './views.ts';

/** One of the demo's people at work, signed in. What they write they repeat, as the same request, until somebody answers. */
export type Worker = {
  first: string;
  id: string;
  role: Role;
  token: string;
  refreshToken: string;
  /** Answers the body, where it came. */
  read<T>(path: string): Promise<T | undefined>;
  /** Answers the body of an acknowledgement. */
  write<T>(method: string, path: string, body?: unknown, options?: Writing): Promise<T | undefined>;
  upload<T>(path: string, form: FormData): Promise<T | undefined>;
};

export type Writing = {
  /** The status of an acknowledgement; 201 for POST and 200 for others, unless told. */
  expected?: number;
  /** The status that says to a repeat that it has been done already. */
  done?: number;
};

type Tokens = { accessToken: string; refreshToken: string; user: { _id: string; role: Role } };

const AGAIN_MS = 250;
/** Longer than anything is away. */
const PATIENCE_MS = 60_000;

/** Signs in; the call is noted like every other. */
export async function signIn(base: string, first: string, ledger: Ledger): Promise<Tokens | undefined> {
  const json = { email: emailOf(first), password: PASSWORD };
  const heard = await call(base, { method: 'POST', path: '/auth/login', body: { json } });
  ledger.note('POST /auth/login', heard, 200);
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

  const repeat = async (method: string, path: string, body: Body, { expected, done }: Writing): Promise<Heard> => {
    const given = method === 'POST' ? 201 : 200;
    const key = newKey();
    for (let tries = 1, until = performance.now() + PATIENCE_MS; ; tries += 1) {
      const heard = await call(base, { method, path, token: worker.token, body, ...(method === 'POST' && { key }) });
      const isDone = tries > 1 && heard.status === done;
      ledger.note(nameOf(method, path), heard, isDone ? heard.status : (expected ?? given));
      if (!isFault(heard.status) || performance.now() > until)
        return isDone ? { ...heard, status: expected ?? given } : heard;
      await pause(AGAIN_MS);
    }
  };
  const worker: Worker = {
    first,
    id: tokens.user._id,
    role: tokens.user.role,
    token: tokens.accessToken,
    refreshToken: tokens.refreshToken,
    async read<T>(path: string) {
      const heard = await call(base, { method: 'GET', path, token: worker.token });
      ledger.note(nameOf('GET', path), heard, 200);
      return heard.status === 200 ? (heard.body as T) : undefined;
    },
    async write<T>(method: string, path: string, json?: unknown, options: Writing = {}) {
      const { status, body } = await repeat(method, path, json === undefined ? undefined : { json }, options);
      return status === (options.expected ?? (method === 'POST' ? 201 : 200)) ? (body as T) : undefined;
    },
    async upload<T>(path: string, form: FormData) {
      const { status, body } = await repeat('POST', path, { form }, {});
      return status === 201 ? (body as T) : undefined;
    },
  };
  return worker;
}
