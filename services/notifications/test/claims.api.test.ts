import { createLogger } from '@atrium/service-kit/observability/logger';
import { newId } from '@atrium/service-kit/process/new-id';
import { testMongo } from '@atrium/test-kit/backing-servers';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createClaims } from '../src/email/claims.ts';
import { createStore, type Store } from '../src/store/store.ts';

/** Short expiry, so that tests do not wait. */
const SHORT_EXPIRY = { expiryMs: 600, renewIntervalMs: 100 };

let store: Store;
beforeAll(async () => {
  store = createStore(await testMongo('claims'), createLogger('test', 'silent'));
  await store.connected;
});
afterAll(() => store.close());

async function queueEmail(): Promise<string> {
  const now = new Date();
  const fields = {
    mailingId: 'm',
    recipientId: 'person',
    kind: 'k',
    about: 'a',
    requestId: 'r',
    name: 'n',
    firstName: 'n',
    address: 'a@example.org',
    timezone: 'UTC',
  };
  const mail = {
    _id: newId(),
    ...fields,
    state: 'queued' as const,
    attempts: 0,
    nextAttemptAt: now,
    settledAt: null,
    lastError: null,
  };
  await store.emails.create({ ...mail, report: 'none', createdAt: now });
  return mail._id;
}
const attemptsAt = async (mail: string) => (await store.emails.findById(mail).lean())?.attempts;

it('leaves an attempt to the pod that claimed it, however long it takes, and allows the next one after a crash', async () => {
  const [firstPod, secondPod] = [createClaims(store, SHORT_EXPIRY), createClaims(store, SHORT_EXPIRY)];
  const mail = await queueEmail();
  const claim = await firstPod.acquire(mail, 1);
  expect(claim).toBeDefined();
  const until = performance.now() + 3 * SHORT_EXPIRY.expiryMs;
  await waitFor(
    async () => {
      expect(await secondPod.acquire(mail, 1)).toBeUndefined();
      return performance.now() > until;
    },
    { what: 'three times the claim expiry' },
  );
  expect(await attemptsAt(mail)).toBe(0);
  // As if killed: stops renewing and records nothing.
  claim?.release();
  const next = await waitFor(() => secondPod.acquire(mail, 1), { what: 'the next attempt' });
  expect([next.attempt, await attemptsAt(mail)]).toEqual([2, 1]);
  next.release();
});

it('does not expire a claim for time in which the store was unavailable', async () => {
  const [firstPod, secondPod] = [createClaims(store, SHORT_EXPIRY), createClaims(store, SHORT_EXPIRY)];
  const mail = await queueEmail();
  const claim = await firstPod.acquire(mail, 1);
  claim?.release();
  expect(await secondPod.acquire(mail, 1)).toBeUndefined();
  const until = performance.now() + 2 * SHORT_EXPIRY.expiryMs;
  await waitFor(() => performance.now() > until, { what: 'twice the claim expiry' });
  expect(await secondPod.acquire(mail, 1)).toBeUndefined();
  const next = await waitFor(() => secondPod.acquire(mail, 1), { what: 'the next attempt' });
  expect(next.attempt).toBe(2);
  next.release();
});

it('releases a claim that was not renewed in time', async () => {
  const claim = await createClaims(store, { ...SHORT_EXPIRY, renewIntervalMs: 60_000 }).acquire(await queueEmail(), 1);
  expect(claim?.isHeld()).toBe(true);
  await waitFor(() => claim?.isHeld() === false, { what: 'the claim to expire' });
  claim?.release();
  const kept = await createClaims(store, SHORT_EXPIRY).acquire(await queueEmail(), 1);
  const until = performance.now() + 2 * SHORT_EXPIRY.expiryMs;
  await waitFor(() => !kept?.isHeld() || performance.now() > until, {
    what: 'twice the claim expiry',
  });
  expect(kept?.isHeld()).toBe(true);
  kept?.release();
});
