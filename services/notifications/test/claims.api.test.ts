import { createLogger } from '@atrium/service-kit/observability/logger';
import { newId } from '@atrium/service-kit/process/new-id';
import { testMongo } from '@atrium/test-kit/backing-servers';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createClaims } from '../src/email/claims.ts';
import { createStore, type Store } from '../src/store/store.ts';

/** A pod that is silent for so long counts as dead here. */
const SHORT = { deadAfterMs: 600, sayEveryMs: 100 };

let store: Store;
beforeAll(async () => {
  store = createStore(await testMongo('claims'), createLogger('test', 'silent'));
  await store.connected;
});
afterAll(() => store.close());

async function aMail(): Promise<string> {
  const now = new Date();
  const words = {
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
    ...words,
    state: 'queued' as const,
    attempts: 0,
    nextAttemptAt: now,
    settledAt: null,
    lastError: null,
  };
  await store.mails.create({ ...mail, report: 'none', createdAt: now });
  return mail._id;
}
const attemptsAt = async (mail: string) => (await store.mails.findById(mail).lean())?.attempts;

it('leaves an attempt to the pod that is at it, however long that takes, and opens the next once the pod has died', async () => {
  const [one, other] = [createClaims(store, SHORT), createClaims(store, SHORT)];
  const mail = await aMail();
  const claim = await one.take(mail, 1);
  expect(claim).toBeDefined();
  const until = performance.now() + 3 * SHORT.deadAfterMs;
  await waitFor(
    async () => {
      expect(await other.take(mail, 1)).toBeUndefined();
      return performance.now() > until;
    },
    { what: 'three times as long as a dead pod would be given' },
  );
  expect(await attemptsAt(mail)).toBe(0);
  // Killed: it says nothing any more, and has noted nothing.
  claim?.end();
  const next = await waitFor(() => other.take(mail, 1), { what: 'the next attempt to be made' });
  expect([next.attempt, await attemptsAt(mail)]).toEqual([2, 1]);
  next.end();
});

it('takes nobody for dead for a time in which it could not look: the store may have been away for both', async () => {
  const [one, other] = [createClaims(store, SHORT), createClaims(store, SHORT)];
  const mail = await aMail();
  const claim = await one.take(mail, 1);
  claim?.end();
  expect(await other.take(mail, 1)).toBeUndefined();
  const until = performance.now() + 2 * SHORT.deadAfterMs;
  await waitFor(() => performance.now() > until, { what: 'twice as long as a dead pod would be given' });
  expect(await other.take(mail, 1)).toBeUndefined();
  const next = await waitFor(() => other.take(mail, 1), { what: 'the next attempt to be made' });
  expect(next.attempt).toBe(2);
  next.end();
});

it('does not count on a claim any more for which nobody could have heard of the pod that has it', async () => {
  const claim = await createClaims(store, { ...SHORT, sayEveryMs: 60_000 }).take(await aMail(), 1);
  expect(claim?.holds()).toBe(true);
  await waitFor(() => claim?.holds() === false, { what: 'the claim to be over' });
  claim?.end();
  const kept = await createClaims(store, SHORT).take(await aMail(), 1);
  const until = performance.now() + 2 * SHORT.deadAfterMs;
  await waitFor(() => !kept?.holds() || performance.now() > until, {
    what: 'twice as long as a claim lasts by itself',
  });
  expect(kept?.holds()).toBe(true);
  kept?.end();
});
