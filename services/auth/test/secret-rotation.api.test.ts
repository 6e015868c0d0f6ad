import { buildUser } from '@atrium/test-kit/people';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import { readConfig } from '../src/config.ts';
import { rotateKeys } from '../src/keys/key-ring.ts';
import { bearer, PASSWORD, refresh, type SignedIn, signIn, startProcess, startWithAdmin } from './factories.ts';

const { service, admin } = await startWithAdmin();
const OLD = service.env.KEY_ENCRYPTION_SECRET ?? '';
const NEW = 'one that was set since';

type Pod = Awaited<ReturnType<typeof startPod>>;
const pods: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(pods.splice(0).map((pod) => pod.close()));
});
beforeAll(() =>
  service.publishUser(buildUser({ _id: admin.user._id, email: admin.user.email, role: 'admin', version: 2 })),
);

/** A pod that knows the administrator and has loaded the keys. */
async function startPod(env: Record<string, string>) {
  const running = await startProcess({ ...service.env, ...env });
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${running.url}/api/auth${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as SignedIn };
  };
  const pod = {
    close: () => running.close(),
    signIn: () => post('/login', { email: admin.user.email, password: PASSWORD }),
    renew: (refreshToken: string) => post('/refresh', { refreshToken }),
    takes: async (token: SignedIn) =>
      (await fetch(`${running.url}/api/auth/sessions`, { headers: bearer(token) })).status,
    keys: async () => {
      const response = await fetch(`${running.url}/.well-known/jwks.json`);
      return ((await response.json()) as JSONWebKeySet).keys.map(({ kid }) => kid);
    },
  };
  pods.push(pod);
  await pod.keys();
  await waitFor(async () => (await pod.signIn()).status === 200, { what: 'the pod to know the administrator' });
  return pod;
}

const kidOf = ({ accessToken }: SignedIn) => decodeProtectedHeader(accessToken).kid;

const renewed = async (pod: Pod, token: string) => {
  const { status, body } = await pod.renew(token);
  expect(status).toBe(200);
  return body.refreshToken;
};

it('keeps sessions signed in when the secret is replaced in one step', async () => {
  const session = (await signIn(service, admin.user.email)).body as SignedIn;
  const { refreshToken } = (await refresh(service, session.refreshToken)).body as SignedIn;
  const changed = await startPod({ KEY_ENCRYPTION_SECRET: 'another unannounced secret value' });
  const next = await renewed(changed, refreshToken);
  const last = await renewed(changed, next);
  expect(await renewed(changed, next)).toBe(last);
  await renewed(changed, last);
  await service.query('delete from signing_keys');
});

describe('a secret that is rotated in three steps', () => {
  const STEPS = [
    { KEY_ENCRYPTION_SECRET: OLD },
    { KEY_ENCRYPTION_SECRET: OLD, KEY_ENCRYPTION_SECRET_PREVIOUS: NEW },
    { KEY_ENCRYPTION_SECRET: NEW, KEY_ENCRYPTION_SECRET_PREVIOUS: OLD },
    { KEY_ENCRYPTION_SECRET: NEW },
  ];

  it.each([
    [0, 1],
    [1, 2],
    [2, 3],
  ])('is compatible between pods of step %i and pods of step %i', async (one, other) => {
    const [before, after] = [await startPod(STEPS[one] ?? {}), await startPod(STEPS[other] ?? {})];
    const { body } = await before.signIn();
    const second = await renewed(after, body.refreshToken);
    // A response can be lost, and the retry may reach another pod.
    expect(await renewed(before, body.refreshToken)).toBe(second);
    const third = await renewed(before, second);
    expect(await renewed(after, second)).toBe(third);
    const access = (await after.renew(third)).body;
    expect([await before.takes(access), await after.takes(access)]).toEqual([200, 200]);
    expect([await before.takes(body), await after.takes(body)]).toEqual([200, 200]);
    // A reused token is recognized by every pod and ends the session.
    expect((await after.renew(body.refreshToken)).status).toBe(401);
    expect((await before.renew(access.refreshToken)).status).toBe(401);
  });

  it('keeps the signing key and reseals it with the new secret', async () => {
    await service.query('delete from signing_keys');
    const seen: unknown[] = [];
    for (const step of STEPS) seen.push(await (await startPod(step)).keys());
    expect(seen[0]).toHaveLength(1);
    expect(new Set(seen.map(String)).size).toBe(1);
  });
});

describe('the command rotate-keys', () => {
  it('switches signing to a new key while the previous one verifies until its tokens expire', async () => {
    await service.query('delete from signing_keys');
    const [one, other] = [await startPod({}), await startPod({})];
    const [first] = await one.keys();
    const old = (await one.signIn()).body;
    await rotateKeys(readConfig(service.env));
    const later = await startPod({});
    expect(kidOf((await later.signIn()).body)).toBe(first);
    await service.query(
      `update signing_keys set created_at = created_at - interval '1 minute', retires_at = retires_at - interval '1 minute'`,
    );
    const latest = await startPod({});
    const young = (await latest.signIn()).body;
    expect(kidOf(young)).not.toBe(first);
    for (const pod of [one, other, later, latest]) {
      // Verifiers reload after a second; the minute before the new key signs is skipped here.
      await waitFor(async () => (await pod.takes(young)) === 200, { what: 'the new key to be known' });
      expect(await pod.takes(old)).toBe(200);
    }
    await service.query(
      `update signing_keys set retires_at = now() - interval '1 second' where retires_at is not null`,
    );
    const last = await startPod({});
    expect(await last.keys()).toEqual([kidOf(young)]);
    expect([await last.takes(old), await last.takes(young)]).toEqual([401, 200]);
  });
});
