import { setTimeout as delay } from 'node:timers/promises';
import type { Role } from '@atrium/proto-events/people';
import { DEMO_PASSWORD, demoEmail } from '@atrium/tools/demo/people';
import { isServerError, type WriteTracker } from './acknowledged-writes.ts';
import { type Body, type CallResult, call, newIdempotencyKey } from './call.ts';

/** A signed-in demo user, whose writes are retried with the same idempotency key until there is a response. */
export type Worker = {
  first: string;
  id: string;
  role: Role;
  token: string;
  refreshToken: string;
  /** Returns the body of a successful response. */
  read<T>(path: string): Promise<T | undefined>;
  /** Returns the body of an acknowledged write. */
  write<T>(method: string, path: string, body?: unknown, options?: WriteOptions): Promise<T | undefined>;
  upload<T>(path: string, form: FormData): Promise<T | undefined>;
};

export type WriteOptions = {
  /** The status of an acknowledgment; by default 201 for POST and 200 for other methods. */
  expected?: number;
  /** The status of a retry if an earlier attempt succeeded. */
  alreadyDone?: number;
};

type Tokens = { accessToken: string; refreshToken: string; user: { _id: string; role: Role } };

const RETRY_DELAY_MS = 250;
/** How long writes are retried: longer than any outage. */
const MAX_OUTAGE_MS = 60_000;

/** Signs in a demo user, and records the call. */
export async function signIn(base: string, first: string, tracker: WriteTracker): Promise<Tokens | undefined> {
  const json = { email: demoEmail(first), password: DEMO_PASSWORD };
  const result = await call(base, { method: 'POST', path: '/auth/login', body: { json } });
  tracker.recordCall('POST /auth/login', result, 200);
  return result.status === 200 ? (result.body as Tokens) : undefined;
}

/** Describes a call without its query and its ids. */
const describeCall = (method: string, path: string): string =>
  `${method} ${path.replace(/\?.*/, '').replaceAll(/[0-9a-f]{24}/g, ':id')}`;

const getDefaultStatus = (method: string): number => (method === 'POST' ? 201 : 200);

export async function signInWorker(base: string, first: string, tracker: WriteTracker): Promise<Worker> {
  const tokens = await signIn(base, first, tracker);
  if (!tokens) throw new Error(`Failed to sign in ${first}`);

  const callUntilResponse = async (
    method: string,
    path: string,
    body: Body,
    { expected = getDefaultStatus(method), alreadyDone }: WriteOptions,
  ): Promise<CallResult> => {
    const key = newIdempotencyKey();
    for (let attempt = 1, until = performance.now() + MAX_OUTAGE_MS; ; attempt += 1) {
      const result = await call(base, { method, path, token: worker.token, body, ...(method === 'POST' && { key }) });
      const isAlreadyDone = attempt > 1 && result.status === alreadyDone;
      tracker.recordCall(describeCall(method, path), result, isAlreadyDone ? result.status : expected);
      if (!isServerError(result.status) || performance.now() > until)
        return isAlreadyDone ? { ...result, status: expected } : result;
      await delay(RETRY_DELAY_MS);
    }
  };
  const worker: Worker = {
    first,
    id: tokens.user._id,
    role: tokens.user.role,
    token: tokens.accessToken,
    refreshToken: tokens.refreshToken,
    async read<T>(path: string) {
      const result = await call(base, { method: 'GET', path, token: worker.token });
      tracker.recordCall(describeCall('GET', path), result, 200);
      return result.status === 200 ? (result.body as T) : undefined;
    },
    async write<T>(method: string, path: string, json?: unknown, options: WriteOptions = {}) {
      const { status, body } = await callUntilResponse(
        method,
        path,
        json === undefined ? undefined : { json },
        options,
      );
      return status === (options.expected ?? getDefaultStatus(method)) ? (body as T) : undefined;
    },
    async upload<T>(path: string, form: FormData) {
      const { status, body } = await callUntilResponse('POST', path, { form }, {});
      return status === 201 ? (body as T) : undefined;
    },
  };
  return worker;
}
