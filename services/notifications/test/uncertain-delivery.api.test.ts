import { invitationCreated, passwordResetRequested } from '@atrium/proto-events/events/auth';
import { emailDelivered } from '@atrium/proto-events/events/notifications';
import { freePort } from '@atrium/test-kit/free-port';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Connection, createConnection } from 'mongoose';
import {
  buildInvitation,
  buildPasswordReset,
  buildUniqueUser,
  startNotifications,
  type TestUsers,
} from './factories.ts';
import { createMailServer } from './mail-server.ts';

type DataResponse = Awaited<
  ReturnType<NonNullable<NonNullable<Parameters<typeof createMailServer>[0]>['atEndOfData']>>
>;

/** Responses of the mail server at the end of DATA, per address and in order; accepted by default. */
const dataResponses = new Map<string, (DataResponse | Promise<DataResponse>)[]>();
const server = createMailServer({ atEndOfData: (address) => dataResponses.get(address)?.shift() });
const never = () => Promise.withResolvers<DataResponse>().promise;

let service: TestService;
let users: TestUsers;
/** Has a timeout of one second instead of the ten minutes of RFC 5321. */
let shortTimeoutService: TestService;
const stores: Connection[] = [];

beforeAll(async () => {
  const port = await freePort();
  await server.start(port);
  const SMTP_URL = `smtp://127.0.0.1:${port}`;
  ({ service, users } = await startNotifications({ SMTP_URL }));
  ({ service: shortTimeoutService } = await startNotifications({ SMTP_URL, SMTP_TIMEOUT_SECONDS: '1' }));
  for (const { env } of [service, shortTimeoutService])
    stores.push(await createConnection(env.MONGO_URL ?? '').asPromise());
});
afterAll(async () => {
  for (const store of stores) await store.close();
  await shortTimeoutService?.close();
  await service?.close();
  await server.stop();
});

type Email = { about: string; attempts: number; uncertainAttempts?: number; nextAttemptAt: Date };

const findEmails = (target: TestService) => {
  const store = stores[target === service ? 0 : 1];
  if (!store) throw new Error('The store is not connected');
  return store.collection<Email>('mails');
};
const makeDue = (target: TestService, about: string, set: Partial<Email> = {}) =>
  findEmails(target).updateOne({ about }, { $set: { ...set, nextAttemptAt: new Date() } });

const waitForAttempts = (target: TestService, about: string, attempts: number) =>
  waitFor(() => findEmails(target).findOne({ about, attempts }), { description: `attempt ${attempts}` });

const countOutcomes = (target: TestService, about: string) =>
  (['sent', 'failed', 'uncertain'] as const).map((outcome) =>
    target.countPublished(emailDelivered, (data) => data.about === about && data.outcome === outcome),
  );

const listMessageIds = (address: string) =>
  server.to(address).map(({ source }) => /^Message-ID: (.*)$/im.exec(source)?.[1]);

const fetchReadiness = async ({ url }: TestService) =>
  ((await (await fetch(`${url}/readyz`)).json()) as { status: string }).status;

async function requestReset(target: TestService, ...responses: (DataResponse | Promise<DataResponse>)[]) {
  const user = buildUniqueUser();
  target.addToDirectory(user);
  dataResponses.set(user.email, responses);
  const { resetId: about, ...reset } = await buildPasswordReset(user);
  await target.deliver(passwordResetRequested, { ...reset, resetId: about });
  return { about, address: user.email };
}

describe('a mail server that is slow to respond to the end of DATA', () => {
  it('receives an email once, and others in the meantime', async () => {
    const gate = Promise.withResolvers<undefined>();
    const slowEmail = await requestReset(service, gate.promise);
    await waitFor(() => server.to(slowEmail.address).length === 1, { description: 'the slow email' });
    for (const invitation of await Promise.all([1, 2, 3].map(() => buildInvitation(users.admin._id)))) {
      await service.deliver(invitationCreated, invitation);
      await waitFor(() => server.to(invitation.email).length === 1, { description: 'an email behind the slow one' });
    }
    gate.resolve(undefined);
    await service.waitForEvent(emailDelivered, ({ about, outcome }) => about === slowEmail.about && outcome === 'sent');
    expect(server.to(slowEmail.address)).toHaveLength(1);
  });

  it('receives an email a limited number of times, with an uncertain outcome, and others immediately', async () => {
    const unansweredEmail = await requestReset(shortTimeoutService, never(), never());
    await waitFor(() => countOutcomes(shortTimeoutService, unansweredEmail.about)[2] === 1, {
      description: 'the uncertain outcome',
    });
    const firstAttempt = await findEmails(shortTimeoutService).findOne({ about: unansweredEmail.about });
    expect(firstAttempt).toMatchObject({ state: 'queued', attempts: 1, uncertainAttempts: 1 });
    expect(firstAttempt?.nextAttemptAt.getTime()).toBeGreaterThan(Date.now() + 15_000);

    const otherEmail = await requestReset(shortTimeoutService);
    await waitFor(() => server.to(otherEmail.address).length === 1, { description: 'the email to another user' });
    await makeDue(shortTimeoutService, unansweredEmail.about, { uncertainAttempts: 5 });
    expect(await waitForAttempts(shortTimeoutService, unansweredEmail.about, 2)).toMatchObject({
      state: 'uncertain',
      uncertainAttempts: 6,
    });
    expect(new Set(listMessageIds(unansweredEmail.address)).size).toBe(1);
    expect(countOutcomes(shortTimeoutService, unansweredEmail.about)).toEqual([0, 0, 1]);
    expect(await fetchReadiness(shortTimeoutService)).toBe('ok');
  });
});

describe('a mail server that drops the connection after DATA', () => {
  it('receives the email again with the same Message-ID, and its outcome is uncertain until it is accepted', async () => {
    const { about, address } = await requestReset(service, 'drop');
    await waitFor(() => countOutcomes(service, about)[2] === 1, { description: 'the uncertain outcome' });
    await makeDue(service, about);
    await waitFor(() => countOutcomes(service, about)[0] === 1, { description: 'the second attempt' });
    const [firstId, ...laterIds] = listMessageIds(address);
    expect(laterIds).toEqual([firstId]);
  });

  it('does not turn an uncertain email that it rejects later into a failed one', async () => {
    const { about } = await requestReset(service, 'drop', { responseCode: 554 });
    await waitForAttempts(service, about, 1);
    await makeDue(service, about);
    expect(await waitForAttempts(service, about, 2)).toMatchObject({ state: 'uncertain' });
  });
});

describe('a mail server that rejects a message at the end of DATA', () => {
  it.each([
    ['temporarily', 451, 'queued'],
    ['because it is closing', 421, 'queued'],
    ['permanently', 550, 'failed'],
  ])('has not accepted it: %s', async (_, responseCode, state) => {
    const { about } = await requestReset(service, { responseCode });
    const email = await waitForAttempts(service, about, 1);
    expect(email).toMatchObject({ state });
    expect(email?.uncertainAttempts).toBeUndefined();
  });
});

describe('an email that cannot be rendered', () => {
  it('fails at the first attempt, while others are sent and the mail server counts as available', async () => {
    const userWithInvalidZone = buildUniqueUser({ timezone: 'Nowhere/Unknown' });
    service.addToDirectory(userWithInvalidZone);
    const unrenderableReset = await buildPasswordReset(userWithInvalidZone);
    await service.deliver(passwordResetRequested, unrenderableReset);
    const email = await waitForAttempts(service, unrenderableReset.resetId, 1);
    expect(email).toMatchObject({ state: 'failed', lastError: expect.stringMatching(/time zone/i) });
    const { address } = await requestReset(service);
    await waitFor(() => server.to(address).length === 1, { description: 'another email' });
    expect(await fetchReadiness(service)).toBe('ok');
  });
});

describe('shutdown while an email is in flight', () => {
  it('leaves the email queued with an uncertain outcome', async () => {
    const { about, address } = await requestReset(service, never());
    await waitFor(() => server.to(address).length === 1, { description: 'the email to be in flight' });
    await service.close();
    expect(await findEmails(service).findOne({ about })).toMatchObject({ state: 'queued', uncertainAttempts: 1 });
  });
});
