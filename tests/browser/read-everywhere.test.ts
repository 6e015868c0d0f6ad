import { getAddress } from '@atrium/dev-server/system/settings';
import { makeDigestsDue } from '@atrium/test-kit/make-digests-due';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import type { Locator, Page } from 'playwright-core';
import { type Client, expectStatus } from '../workspace/workspace.ts';
import {
  type Device,
  deliverPushes,
  listShown,
  lookAt,
  lookAway,
  type Recorded,
  setUpDevices,
  turnOn,
  waitForDevice,
} from './device.ts';
import { expectLive } from './live.ts';

const { environment, openDevice } = await setUpDevices();
let mongo: MongoClient;
beforeAll(() => {
  mongo = new MongoClient(getAddress(environment.system.backing, 'mongo').url);
});
afterAll(() => mongo?.close());

const bell = ({ page }: Device, name: string): Locator => page.getByRole('button', { name, exact: true });

const readBadge = (page: Page) => page.evaluate(() => (globalThis as Recorded).badge);

/** A user with a phone and a laptop, and one with a laptop; both laptops are left open. */
async function createTeam() {
  const [mia, nora, paul] = await Promise.all([
    environment.createUser('Mia', 'member'),
    environment.createUser('Nora', 'member'),
    environment.createUser('Paul', 'member'),
  ]);
  const body = { type: 'group', title: 'launch', participants: [mia.id, nora.id] };
  const { _id } = await expectStatus(paul.call<{ _id: string }>('POST', '/chat/conversations', body), 201);
  const [phone, laptop, other] = await Promise.all([
    openDevice(mia, { hasPush: true }),
    openDevice(mia, { hasPush: false }),
    openDevice(nora, { hasPush: false }),
  ]);
  for (const device of [phone, laptop]) await turnOn(device);
  for (const device of [phone, laptop, other]) await lookAway(device);
  const mention = () =>
    expectStatus(
      paul.call('POST', '/chat/messages', { conversation: _id, content: `<@${mia.id}> <@${nora.id}> the date?` }),
      201,
    );
  return { mia, nora, phone, laptop, mention };
}

/** The time since the start at which each of them was true. */
class Timetable {
  readonly #times = new Map<string, number>();
  #startedAt = performance.now();

  start(): void {
    this.#startedAt = performance.now();
  }

  async add(name: string, condition: Promise<unknown>): Promise<void> {
    await condition;
    this.#times.set(name, Math.round(performance.now() - this.#startedAt));
  }

  print(): void {
    const lines = [...this.#times].map(([name, ms]) => `${name.padEnd(44)} ${String(ms).padStart(6)} ms`);
    process.stdout.write(`${lines.join('\n')}\n`);
  }
}

const until = (description: string, condition: () => Promise<boolean> | boolean) => waitFor(condition, { description });

const waitForShownCount = ({ page }: Device, count: number) =>
  waitForDevice(page, `${count} notifications`, async () => (await listShown(page)).length === count);

async function countEmails({ email }: Client): Promise<number> {
  const url = `${environment.system.mailboxUrl}/api/messages?to=${encodeURIComponent(email)}`;
  const { data } = (await (await fetch(url)).json()) as { data: unknown[] };
  return data.length;
}

it('a mention that is read on one device disappears on the others, and is not emailed', async () => {
  const { mia, nora, phone, laptop, mention } = await createTeam();
  const [subscription] = phone.subscriptions;
  if (!subscription) throw new Error('The phone has not subscribed');
  const deliver = await deliverPushes(phone, subscription);
  const [emailsToMia, emailsToNora] = await Promise.all([countEmails(mia), countEmails(nora)]);
  const times = new Timetable();
  const store = mongo.db('atrium');

  times.start();
  await mention();
  await Promise.all([
    times.add('mention: bell of the laptop', bell(laptop, 'Notifications, 1 unread').waitFor()),
    times.add('mention: notification of the laptop', waitForShownCount(laptop, 1)),
    times.add(
      'mention: push to the phone',
      until('the push', () => subscription.received.length === 1),
    ),
  ]);
  await deliver(1);
  await times.add('mention: notification of the phone', waitForShownCount(phone, 1));
  expect(await readBadge(phone.page)).toBe(1);

  await lookAt(laptop);
  await bell(laptop, 'Notifications, 1 unread').click();
  const link = laptop.page.getByRole('dialog', { name: 'Notifications' }).getByRole('link', { name: /mentioned you/ });
  await link.waitFor();
  times.start();
  const withdrawn = Promise.all([
    times.add('read: bell of the laptop', bell(laptop, 'Notifications').waitFor()),
    times.add('read: bell of the phone', bell(phone, 'Notifications').waitFor()),
    times.add(
      'read: badge of the phone',
      until('the badge', async () => (await readBadge(phone.page)) === 0),
    ),
    times.add(
      'read: push to the phone',
      until('the withdrawal', () => subscription.received.length === 2),
    ),
    times.add('read: notification of the laptop', waitForShownCount(laptop, 0)),
  ]);
  await expectLive({ by: laptop.page, method: 'POST', path: '/notifications/read' }, () => link.click(), [
    bell(laptop, 'Notifications'),
    bell(phone, 'Notifications'),
  ]);
  await withdrawn;
  await deliver(2);
  await times.add('read: notification of the phone', waitForShownCount(phone, 0));
  expect(subscription.received.map(({ content }) => (content as { action: string }).action)).toEqual([
    'show',
    'withdraw',
  ]);

  // Emails about messages are collected for a minute.
  await makeDigestsDue(store, [mia.id, nora.id]);
  await waitFor(async () => (await countEmails(nora)) > emailsToNora, {
    description: 'the email to a user who has not read it',
  });
  await waitFor(async () => (await store.collection('digests').countDocuments()) === 0, {
    description: 'the end of the digests',
  });
  expect(await countEmails(mia)).toBe(emailsToMia);
  times.print();
});

it('a mention that the user reads at once is neither pushed nor shown by a device', async () => {
  const { phone, laptop, mention } = await createTeam();
  const [subscription] = phone.subscriptions;
  await lookAt(laptop);
  await laptop.page.goto(`${laptop.base}/chat`);
  await laptop.page.getByRole('link', { name: /launch/ }).click();
  await mention();
  await laptop.page.getByRole('article').getByText('the date?').waitFor();
  // A push of a later event shows that an earlier one would have been sent.
  await lookAway(laptop);
  await mention();
  await waitFor(() => subscription?.received.length, { description: 'the push of the second mention' });
  expect(await listShown(phone.page)).toEqual([]);
  expect(subscription?.received.map(({ content }) => (content as { unreadCount: number }).unreadCount)).toEqual([1]);
});
