import { buildUser } from '@atrium/test-kit/build-user';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import { readConfig } from '../src/config.ts';
import { rotateKeys } from '../src/keys/key-ring.ts';
import { bearer, PASSWORD, refresh, type SignedIn, signIn, startProcess, startWithAdmin } from './factories.ts';

const { service, admin } = await startWithAdmin();
const OLD_SECRET = service.env.KEY_ENCRYPTION_SECRET ?? '';
const NEW_SECRET = 'a secret that was set later';

type Pod = Awaited<ReturnType<typeof startPod>>;
const pods: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(pods.splice(0).map((pod) => pod.close()));
});
beforeAll(() =>
  service.publishUser(buildUser({ _id: admin.user._id, email: admin.user.email, role: 'admin', version: 2 })),
);

/** Starts a pod, and waits until it knows the administrator and has loaded the keys. */
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
    refresh: (refreshToken: string) => post('/refresh', { refreshToken }),
    callWith: async (token: SignedIn) =>
      (await fetch(`${running.url}/api/auth/sessions`, { headers: bearer(token) })).status,
    listKeyIds: async () => {
      const response = await fetch(`${running.url}/.well-known/jwks.json`);
      return ((await response.json()) as JSONWebKeySet).keys.map(({ kid }) => kid);
    },
  };
  pods.push(pod);
  await pod.listKeyIds();
  await waitFor(async () => (await pod.signIn()).status === 200, { description: 'the pod to know the administrator' });
  return pod;
}

const getKeyId = ({ accessToken }: SignedIn) => decodeProtectedHeader(accessToken).kid;

const refreshWithPod = async (pod: Pod, token: string) => {
  const { status, body } = await pod.refresh(token);
  expect(status).toBe(200);
  return body.refreshToken;
};

it('sessions stay signed in when the secret is replaced in one step', async () => {
  const session = (await signIn(service, admin.user.email)).body as SignedIn;
  const { refreshToken } = (await refresh(service, session.refreshToken)).body as SignedIn;
  const podWithNewSecret = await startPod({ KEY_ENCRYPTION_SECRET: 'another unannounced secret value' });
  const nextToken = await refreshWithPod(podWithNewSecret, refreshToken);
  const lastToken = await refreshWithPod(podWithNewSecret, nextToken);
  expect(await refreshWithPod(podWithNewSecret, nextToken)).toBe(lastToken);
  await refreshWithPod(podWithNewSecret, lastToken);
  await service.query('delete from signing_keys');
});

describe('a secret that is rotated in three steps', () => {
  const STEPS = [
    { KEY_ENCRYPTION_SECRET: OLD_SECRET },
    { KEY_ENCRYPTION_SECRET: OLD_SECRET, KEY_ENCRYPTION_SECRET_PREVIOUS: NEW_SECRET },
    { KEY_ENCRYPTION_SECRET: NEW_SECRET, KEY_ENCRYPTION_SECRET_PREVIOUS: OLD_SECRET },
    { KEY_ENCRYPTION_SECRET: NEW_SECRET },
  ];

  it.each([
    [0, 1],
    [1, 2],
    [2, 3],
  ])('is compatible between pods of step %i and pods of step %i', async (earlierStep, laterStep) => {
    const earlierPod = await startPod(STEPS[earlierStep] ?? {});
    const laterPod = await startPod(STEPS[laterStep] ?? {});
    const { body } = await earlierPod.signIn();
    const secondToken = await refreshWithPod(laterPod, body.refreshToken);
    // A response can be lost, and the retry may reach another pod.
    expect(await refreshWithPod(earlierPod, body.refreshToken)).toBe(secondToken);
    const thirdToken = await refreshWithPod(earlierPod, secondToken);
    expect(await refreshWithPod(laterPod, secondToken)).toBe(thirdToken);
    const latestSession = (await laterPod.refresh(thirdToken)).body;
    expect([await earlierPod.callWith(latestSession), await laterPod.callWith(latestSession)]).toEqual([200, 200]);
    expect([await earlierPod.callWith(body), await laterPod.callWith(body)]).toEqual([200, 200]);
    // A reused token is recognized by every pod and ends the session.
    expect((await laterPod.refresh(body.refreshToken)).status).toBe(401);
    expect((await earlierPod.refresh(latestSession.refreshToken)).status).toBe(401);
  });

  it('keeps the signing key and reseals it with the new secret', async () => {
    await service.query('delete from signing_keys');
    const keyIdsByStep: unknown[] = [];
    for (const step of STEPS) keyIdsByStep.push(await (await startPod(step)).listKeyIds());
    expect(keyIdsByStep[0]).toHaveLength(1);
    expect(new Set(keyIdsByStep.map(String)).size).toBe(1);
  });
});

describe('the command rotate-keys', () => {
  it('switches signing to a new key while the previous one verifies until its tokens expire', async () => {
    await service.query('delete from signing_keys');
    const firstPod = await startPod({});
    const secondPod = await startPod({});
    const [oldKeyId] = await firstPod.listKeyIds();
    const oldSession = (await firstPod.signIn()).body;
    await rotateKeys(readConfig(service.env));
    const podBeforeSwitch = await startPod({});
    expect(getKeyId((await podBeforeSwitch.signIn()).body)).toBe(oldKeyId);
    await service.query(
      `update signing_keys set created_at = created_at - interval '1 minute', retires_at = retires_at - interval '1 minute'`,
    );
    const podAfterSwitch = await startPod({});
    const newSession = (await podAfterSwitch.signIn()).body;
    expect(getKeyId(newSession)).not.toBe(oldKeyId);
    for (const pod of [firstPod, secondPod, podBeforeSwitch, podAfterSwitch]) {
      // Verifiers reload after a second. The test skips the minute before the new key signs.
      await waitFor(async () => (await pod.callWith(newSession)) === 200, { description: 'the new key to be known' });
      expect(await pod.callWith(oldSession)).toBe(200);
    }
    await service.query(
      `update signing_keys set retires_at = now() - interval '1 second' where retires_at is not null`,
    );
    const lastPod = await startPod({});
    expect(await lastPod.listKeyIds()).toEqual([getKeyId(newSession)]);
    expect([await lastPod.callWith(oldSession), await lastPod.callWith(newSession)]).toEqual([401, 200]);
  });
});
