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
  const email = {
    _id: newId(),
    ...fields,
    state: 'queued' as const,
    attempts: 0,
    nextAttemptAt: now,
    settledAt: null,
    lastError: null,
  };
  await store.emails.create({ ...email, report: 'none', createdAt: now });
  return email._id;
}
const readAttempts = async (emailId: string) => (await store.emails.findById(emailId).lean())?.attempts;

it('a claim keeps an attempt with its pod for as long as that runs, and allows the next attempt after a crash', async () => {
  const firstPod = createClaims(store, SHORT_EXPIRY);
  const secondPod = createClaims(store, SHORT_EXPIRY);
  const emailId = await queueEmail();
  const claim = await firstPod.acquire(emailId, 1);
  expect(claim).toBeDefined();
  const until = performance.now() + 3 * SHORT_EXPIRY.expiryMs;
  await waitFor(
    async () => {
      expect(await secondPod.acquire(emailId, 1)).toBeUndefined();
      return performance.now() > until;
    },
    { description: 'three times the claim expiry' },
  );
  expect(await readAttempts(emailId)).toBe(0);
  // The first pod stops renewing and records nothing, as if it had been killed.
  claim?.release();
  const nextClaim = await waitFor(() => secondPod.acquire(emailId, 1), { description: 'the next attempt' });
  expect([nextClaim.attempt, await readAttempts(emailId)]).toEqual([2, 1]);
  nextClaim.release();
});

it('a claim does not expire for time in which the store was unavailable', async () => {
  const firstPod = createClaims(store, SHORT_EXPIRY);
  const secondPod = createClaims(store, SHORT_EXPIRY);
  const emailId = await queueEmail();
  const claim = await firstPod.acquire(emailId, 1);
  claim?.release();
  expect(await secondPod.acquire(emailId, 1)).toBeUndefined();
  const until = performance.now() + 2 * SHORT_EXPIRY.expiryMs;
  await waitFor(() => performance.now() > until, { description: 'twice the claim expiry' });
  expect(await secondPod.acquire(emailId, 1)).toBeUndefined();
  const nextClaim = await waitFor(() => secondPod.acquire(emailId, 1), { description: 'the next attempt' });
  expect(nextClaim.attempt).toBe(2);
  nextClaim.release();
});

it('a claim is held only while it is renewed in time', async () => {
  const claim = await createClaims(store, { ...SHORT_EXPIRY, renewIntervalMs: 60_000 }).acquire(await queueEmail(), 1);
  expect(claim?.isHeld()).toBe(true);
  await waitFor(() => claim?.isHeld() === false, { description: 'the claim to expire' });
  claim?.release();
  const renewedClaim = await createClaims(store, SHORT_EXPIRY).acquire(await queueEmail(), 1);
  const until = performance.now() + 2 * SHORT_EXPIRY.expiryMs;
  await waitFor(() => !renewedClaim?.isHeld() || performance.now() > until, {
    description: 'twice the claim expiry',
  });
  expect(renewedClaim?.isHeld()).toBe(true);
  renewedClaim?.release();
});
