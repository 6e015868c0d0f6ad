import { randomBytes } from 'node:crypto';
import { accountSecured, passwordChanged, sessionRevoked } from '@atrium/proto-events/events/auth';
import { recipientsFound } from '@atrium/proto-events/events/chat';
import { documentShared } from '@atrium/proto-events/events/documents';
import { taskCreated } from '@atrium/proto-events/events/projects';
import { sessionsEnded, userDeleted } from '@atrium/proto-events/events/users';
import { PUSH_DISABLED, PUSH_HOST_DENIED, PUSH_KEY_OUTDATED } from '@atrium/proto-events/http/notices/push';
import type { PushContent } from '@atrium/proto-events/notices/push-content';
import { newId } from '@atrium/service-kit/process/new-id';
import { startPushService, type TestPushService, type TestSubscription } from '@atrium/test-kit/push-service';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor, waitForLive } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Connection } from 'mongoose';
import { toPushKey } from '../src/push/push-keys.ts';
import { buildUniqueUser, encodeKey, startNotifications, type TestUsers } from './factories.ts';
import { startWithStore } from './start-with-store.ts';

const DAY_MS = 24 * 60 * 60_000;
const SESSION_IDLE_DAYS = 7;
const privateKey = new Uint8Array(randomBytes(32));
const { publicKey } = toPushKey(privateKey);
let pushService: TestPushService;
let service: TestService;
let users: TestUsers;
let store: Connection;

beforeAll(async () => {
  pushService = await startPushService();
  ({ service, users, store } = await startWithStore({
    VAPID_PRIVATE_KEY: encodeKey(privateKey),
    PUSH_HOSTS: pushService.origin,
    SESSION_IDLE_DAYS: String(SESSION_IDLE_DAYS),
  }));
});
afterAll(async () => {
  await service?.close();
  await pushService?.close();
});
afterEach(() => expect(pushService.rejections).toEqual([]));

type User = TestUsers[keyof TestUsers];

const toBody = ({ endpoint, keys, publicKey }: TestSubscription) => ({ endpoint, keys, publicKey });

const post = (user: User, body: object) => service.call('POST', '/push/subscriptions', { as: user, body });

async function subscribe(user: User): Promise<TestSubscription & { id: string }> {
  const subscription = pushService.subscribe(publicKey);
  const { status, body } = await post(user, toBody(subscription));
  expect(status).toBe(200);
  return Object.assign(subscription, { id: (body as { _id: string })._id });
}

async function createSubscriber() {
  const user = buildUniqueUser();
  service.addToDirectory(user);
  return { user, subscription: await subscribe(user) };
}

async function assign(user: User, title = 'Draw the plan'): Promise<string> {
  const taskId = newId();
  const fields = { projectId: newId(), title, status: 'todo', version: 1, assignedTo: user._id, dueDate: null };
  await service.deliver(taskCreated, { taskId, ...fields }, 2, users.manager._id);
  return taskId;
}

const waitForPushes = (subscription: TestSubscription, count: number) =>
  waitFor(async () => subscription.received.length >= count, { description: `${count} pushes` });

const readAll = (user: User) => service.call('POST', '/notifications/read', { as: user, body: { all: true } });

const countQueued = (user: User) =>
  store.collection('pushes').countDocuments({ userId: user._id, state: { $in: ['queued', 'withdrawing'] } });
const waitForEmptyQueue = (user: User) =>
  waitFor(async () => (await countQueued(user)) === 0, { description: 'an empty queue' });

describe('GET /push/key', () => {
  it('returns the public key with which browsers subscribe', async () => {
    const { body } = await service.call('GET', '/push/key', { as: users.member });
    expect(body).toEqual({ publicKey });
  });
});

it.each([
  ['GET', '/push/key'],
  ['POST', '/push/subscriptions'],
  ['DELETE', `/push/subscriptions/${newId()}`],
] as const)('%s %s rejects anonymous callers', async (method, path) => {
  expect((await service.call(method, path)).status).toBe(401);
});

describe('POST /push/subscriptions', () => {
  const messagesOf = (body: unknown) => (body as { message: string[] }).message;

  it('rejects other push services, keys, and keys that nothing can be encrypted for', async () => {
    const valid = toBody(pushService.subscribe(publicKey));
    const invalid: [object, string][] = [
      [{ ...valid, endpoint: 'https://push.example.org/x' }, PUSH_HOST_DENIED],
      [{ ...valid, endpoint: valid.endpoint.replace('127.0.0.1', '127.0.0.2') }, PUSH_HOST_DENIED],
      [{ ...valid, endpoint: valid.endpoint.replace('http://', 'http://user@') }, PUSH_HOST_DENIED],
      [{ ...valid, publicKey: valid.keys.p256dh }, PUSH_KEY_OUTDATED],
      [{ ...valid, keys: { ...valid.keys, p256dh: 'A'.repeat(87) } }, PUSH_KEY_OUTDATED],
    ];
    for (const [body, message] of invalid) {
      const response = await post(users.member, body);
      expect([response.status, messagesOf(response.body)]).toEqual([400, [message]]);
    }
  });

  it('stores a browser once, and for the user who signed in last', async () => {
    const { user, subscription } = await createSubscriber();
    const { user: other } = await createSubscriber();
    expect((await post(user, toBody(subscription))).body).toEqual({ _id: subscription.id });
    await post(other, toBody(subscription));
    await assign(user, 'For the first user');
    await assign(other, 'For the second user');
    await waitForPushes(subscription, 1);
    await waitForEmptyQueue(user);
    expect(subscription.received.map(({ content }) => (content as { text: string }).text)).toEqual([
      'For the second user',
    ]);
  });

  it('never shows a browser what was queued for an earlier user of it', async () => {
    const { user } = await createSubscriber();
    const { user: other, subscription } = await createSubscriber();
    await assign(user, 'For the first user');
    const pushes = store.collection<{ _id: string }>('pushes');
    const push = await waitFor(() => pushes.findOne({ userId: user._id }), { description: 'a queued push' });
    const moved = { state: 'queued', subscriptionId: subscription.id, nextAttemptAt: new Date() };
    await pushes.insertOne({ ...push, ...moved, _id: newId() });
    await waitForEmptyQueue(user);
    await assign(other, 'For the second user');
    await waitForPushes(subscription, 1);
    expect(subscription.received.map(({ content }) => (content as { text: string }).text)).toEqual([
      'For the second user',
    ]);
  });
});

describe('a push', () => {
  it('says what happened and where, is encrypted for the browser, and signed for its push service', async () => {
    const { user, subscription } = await createSubscriber();
    const task = await assign(user);
    await waitForPushes(subscription, 1);
    const [message] = subscription.received;
    expect(message).toMatchObject({ urgency: 'normal', topic: expect.stringMatching(/^[\w-]{32}$/) });
    expect(message?.ttl).toBeGreaterThan(86_000);
    expect(message?.content).toEqual({
      action: 'show',
      tag: expect.any(String),
      title: 'Paul Manager assigned you the task',
      text: 'Draw the plan',
      path: expect.stringContaining(`?task=${task}`),
      at: expect.any(String),
      unreadCount: 1,
    });
  });

  it('is sent once for a redelivered event, and to each browser of the user', async () => {
    const { user, subscription } = await createSubscriber();
    const second = await subscribe(user);
    await assign(user, 'First');
    await Promise.all([waitForPushes(subscription, 1), waitForPushes(second, 1)]);
    await assign(user, 'Second');
    await Promise.all([waitForPushes(subscription, 2), waitForPushes(second, 2)]);
    expect(subscription.received.map(({ content }) => (content as PushContent).unreadCount)).toEqual([1, 2]);
    expect([subscription.received.length, second.received.length]).toEqual([2, 2]);
  });

  it('is not sent for kinds that the user does not want on devices', async () => {
    const user = buildUniqueUser({
      preferences: { notices: { channels: { task_assigned: { app: true, push: false, email: 'off' } } } },
    });
    service.addToDirectory(user);
    const subscription = await subscribe(user);
    await assign(user);
    const document = { documentId: newId(), name: 'Plan.pdf', uploadedBy: users.admin._id, version: 2, project: null };
    const audience = { everyone: false, userIds: [user._id] };
    await service.deliver(documentShared, { ...document, audience, sharedWith: [user._id] }, 2, users.admin._id);
    await waitForPushes(subscription, 1);
    expect(subscription.received.map(({ content }) => (content as { text: string }).text)).toEqual([
      'Plan.pdf with you',
    ]);
  });

  it('is sent for the security of the account, whatever the user chose', async () => {
    const { user, subscription } = await createSubscriber();
    const pausedUntil = new Date(Date.now() + 60 * 60_000).toISOString();
    service.addToDirectory({ ...user, preferences: { notices: { pausedUntil } }, version: user.version + 1 });
    await service.deliver(passwordChanged, { userId: user._id, by: 'change' }, 2, user._id);
    await waitForPushes(subscription, 1);
    expect(subscription.received[0]?.content).toMatchObject({
      title: 'The password was changed for',
      text: 'your account',
      path: '/settings#active-sessions',
    });
  });

  it('is withdrawn within a second after the notification was read elsewhere', async () => {
    const { user, subscription } = await createSubscriber();
    await assign(user);
    await waitForPushes(subscription, 1);
    await waitForEmptyQueue(user);
    await readAll(user);
    await waitForLive('the withdrawal', async () => subscription.received.length === 2);
    const [shown, withdrawn] = subscription.received;
    expect(shown?.content).toMatchObject({ action: 'show', unreadCount: 1 });
    const { tag } = (shown?.content ?? {}) as Partial<PushContent>;
    expect(withdrawn?.content).toEqual({ action: 'withdraw', tag, unreadCount: 0 });
    expect(withdrawn?.topic).toBe(shown?.topic);
  });

  it('never reaches a browser that was offline until the notification was read', async () => {
    const { user, subscription } = await createSubscriber();
    subscription.disconnect();
    await assign(user, 'Read elsewhere');
    await waitFor(
      async () => (await store.collection('pushes').countDocuments({ userId: user._id, state: 'shown' })) === 1,
      {
        description: 'the accepted push',
      },
    );
    await readAll(user);
    await waitFor(
      async () => (await store.collection('pushes').countDocuments({ userId: user._id, state: 'ended' })) === 1,
      {
        description: 'the withdrawal',
      },
    );
    subscription.connect();
    expect(subscription.received.map(({ content }) => (content as PushContent).action)).toEqual(['withdraw']);
  });

  it('is retried after the time that the push service asks for', async () => {
    const { user, subscription } = await createSubscriber();
    pushService.failWith({ status: 503 }, { status: 429, retryAfter: '3' });
    const startedAt = performance.now();
    await assign(user);
    await waitForPushes(subscription, 1);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(5_000);
  });

  it('is not retried if the push service rejects it, and does not hold up later ones', async () => {
    const { user, subscription } = await createSubscriber();
    pushService.failWith({ status: 413 });
    await assign(user, 'Rejected');
    await waitForEmptyQueue(user);
    await assign(user, 'Accepted');
    await waitForPushes(subscription, 1);
    expect(subscription.received.map(({ content }) => (content as { text: string }).text)).toEqual(['Accepted']);
  });
});

describe('a user who has the app open', () => {
  const list = (user: User, query = '') => service.call('GET', `/notifications${query}`, { as: user });
  const visit = async (user: User) => {
    const since = new Date();
    await list(user);
    await waitFor(() => store.collection('visits').countDocuments({ _id: user._id as never, at: { $gte: since } }), {
      description: 'the visit to be recorded',
    });
  };
  const conversation = newId();
  const mention = async (user: User) => {
    const recipients = [{ userId: user._id, kind: 'mention', reason: 'mentioned', level: 'all' } as const];
    const place = { conversationId: conversation, title: 'design', messageId: newId(), seq: 1, cause: newId() };
    const data = { ...place, sentAt: new Date().toISOString(), recipients };
    await service.deliver(recipientsFound, data, 2, users.admin._id);
  };
  const textsOf = ({ received }: TestSubscription) => received.map(({ content }) => (content as { text: string }).text);

  /** Ends the time for which pushes of the user wait. */
  const makeDue = async (user: User) => {
    const queued = { userId: user._id, state: 'queued' };
    const push = await store.collection('pushes').findOne(queued);
    expect(push?.nextAttemptAt - push?.createdAt).toBeGreaterThan(4_000);
    await store.collection('pushes').updateOne(queued, { $set: { nextAttemptAt: new Date() } });
  };

  it('receives no push about what they have seen, and others when they have had time to see them', async () => {
    const { user, subscription } = await createSubscriber();
    await visit(user);
    await assign(user, 'Seen');
    await visit(user);
    await makeDue(user);
    await waitForEmptyQueue(user);
    const startedAt = performance.now();
    await assign(user, 'Not seen');
    await waitForPushes(subscription, 1);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(4_000);
    expect(textsOf(subscription)).toEqual(['Not seen']);
  });

  it('receives pushes without delay three minutes after they left', async () => {
    const { user, subscription } = await createSubscriber();
    await visit(user);
    const visits = store.collection<{ _id: string }>('visits');
    await visits.updateOne({ _id: user._id }, { $set: { at: new Date(Date.now() - 3 * 60_000) } });
    await assign(user);
    await waitForPushes(subscription, 1);
    expect(await store.collection('notifications').findOne({ personId: user._id })).not.toHaveProperty('pushAt');
  });

  it('receives a push about an event that is merged into what they have seen', async () => {
    const { user, subscription } = await createSubscriber();
    await visit(user);
    await mention(user);
    await visit(user);
    await makeDue(user);
    await waitForEmptyQueue(user);
    await mention(user);
    await makeDue(user);
    await waitForPushes(subscription, 1);
    expect(await store.collection('notifications').countDocuments({ personId: user._id })).toBe(1);
  });

  it('receives a push about what only a hidden or unused page has requested', async () => {
    const { user, subscription } = await createSubscriber();
    await visit(user);
    await assign(user);
    expect((await list(user, '?unseen=true')).status).toBe(200);
    await makeDue(user);
    await waitForPushes(subscription, 1);
  });
});

describe('a subscription', () => {
  const find = (id: string) => store.collection<{ _id: string }>('push_subscriptions').findOne({ _id: id });
  const waitForRemoval = (id: string) => waitFor(async () => (await find(id)) === null, { description: 'its removal' });

  it('ends when the push service no longer knows it', async () => {
    const { user, subscription } = await createSubscriber();
    subscription.expire();
    await assign(user);
    await waitForRemoval(subscription.id);
    expect(await store.collection('pushes').countDocuments({ userId: user._id })).toBe(0);
  });

  it('ends when its user ends it, and nobody else can', async () => {
    const { user, subscription } = await createSubscriber();
    const path = `/push/subscriptions/${subscription.id}` as const;
    expect((await service.call('DELETE', path, { as: users.other })).status).toBe(404);
    expect((await service.call('DELETE', path, { as: user })).status).toBe(204);
    await assign(user);
    expect(await store.collection('pushes').countDocuments({ userId: user._id })).toBe(0);
  });

  it('ends with its session', async () => {
    const { user, subscription } = await createSubscriber();
    const { sessionId } = (await find(subscription.id)) as unknown as { sessionId: string };
    await service.deliver(sessionRevoked, { userId: user._id, sessionId, reason: 'signed-out' });
    await waitForRemoval(subscription.id);
  });

  it('receives the push about a new password that ends its session, and nothing else', async () => {
    const { user, subscription } = await createSubscriber();
    const { sessionId } = (await find(subscription.id)) as unknown as { sessionId: string };
    await service.deliver(sessionRevoked, { userId: user._id, sessionId, reason: 'password-changed' }, 2);
    // The session ends after the password has changed, but is handled before.
    const endedAt = new Date(Date.now() + 60_000);
    const subscriptions = store.collection<{ _id: string }>('push_subscriptions');
    await subscriptions.updateOne({ _id: subscription.id, endedAt: { $exists: true } }, { $set: { endedAt } });
    await assign(user);
    await service.deliver(passwordChanged, { userId: user._id, by: 'change' }, 2, user._id);
    await waitForPushes(subscription, 1);
    await readAll(user);
    const isWithdrawn = async () =>
      (await store.collection('pushes').countDocuments({ userId: user._id, state: 'ended' })) === 1;
    await waitFor(isWithdrawn, { description: 'the end of the push' });
    await post(user, toBody(subscription));
    await assign(user, 'Renewed');
    await waitForPushes(subscription, 2);
    expect(subscription.received.map(({ content }) => content)).toMatchObject([
      { title: 'The password was changed for', text: 'your account', unreadCount: 0 },
      { title: 'Paul Manager assigned you the task', text: 'Renewed', unreadCount: 1 },
    ]);
  });

  it('cannot be created by a session that has ended, on a pod that has not received the event', async () => {
    const { user, subscription } = await createSubscriber();
    const { sessionId } = (await find(subscription.id)) as unknown as { sessionId: string };
    await service.deliver(sessionRevoked, { userId: user._id, sessionId, reason: 'signed-out' });
    const { service: pod } = await startNotifications({
      VAPID_PRIVATE_KEY: encodeKey(privateKey),
      PUSH_HOSTS: pushService.origin,
      MONGO_URL: service.env.MONGO_URL ?? '',
    });
    try {
      pod.addToDirectory(user);
      const subscribeOnPod = async (session: string) => {
        const headers = { authorization: `Bearer ${await pod.tokens.sign(user, { sessionId: session })}` };
        const { status } = await pod.call('POST', '/push/subscriptions', { headers, body: toBody(subscription) });
        return [status, (await find(subscription.id)) !== null];
      };
      expect(await subscribeOnPod(sessionId)).toEqual([401, false]);
      expect(await subscribeOnPod(newId())).toEqual([200, true]);
    } finally {
      await pod.close();
    }
  });

  const setRenewedAt = (id: string, renewedAt: Date) =>
    store.collection<{ _id: string }>('push_subscriptions').updateOne({ _id: id }, { $set: { renewedAt } });

  it('ends when its browser has not opened Atrium for as long as an unused session lasts', async () => {
    const { user, subscription } = await createSubscriber();
    const expiredAt = new Date(Date.now() - SESSION_IDLE_DAYS * DAY_MS);
    await setRenewedAt(subscription.id, expiredAt);
    expect((await post(user, toBody(subscription))).status).toBe(200);
    await assign(user, 'Renewed');
    await waitForPushes(subscription, 1);
    await setRenewedAt(subscription.id, expiredAt);
    await assign(user, 'Expired');
    await waitForRemoval(subscription.id);
    expect(subscription.received).toHaveLength(1);
  });

  type End = (userId: string) => Promise<void>;
  it.each<[string, End]>([
    ['are signed out', (userId) => service.deliver(accountSecured, { userId, reason: 'ended-by-administrator' })],
    ['are deactivated', (userId) => service.deliver(sessionsEnded, { userId, validAfter: 0, reason: 'deactivated' })],
    ['are deleted', (userId) => service.deliver(userDeleted, { userId, version: 2 })],
  ])('ends with all others of its user when they %s, even if its session had expired', async (_, end) => {
    const { user, subscription } = await createSubscriber();
    const second = await subscribe(user);
    const { subscription: ofOther } = await createSubscriber();
    await end(user._id);
    const ids = [subscription, second, ofOther].map(({ id }) => id);
    expect((await Promise.all(ids.map(find))).map((found) => found !== null)).toEqual([false, false, true]);
  });

  it('continues if its user has signed in since their account was secured', async () => {
    const { user, subscription } = await createSubscriber();
    await setRenewedAt(subscription.id, new Date(Date.now() + DAY_MS));
    await service.deliver(accountSecured, { userId: user._id, reason: 'password-changed' }, 2);
    expect(await find(subscription.id)).not.toBeNull();
  });
});

describe('the text of a message', () => {
  const mention = async (text?: string) => {
    const { user, subscription } = await createSubscriber();
    const place = { conversationId: newId(), title: 'design', messageId: newId(), seq: 1, cause: newId() };
    const recipients = [{ userId: user._id, kind: 'mention', reason: 'mentioned', level: 'all' } as const];
    const data = { ...place, ...(text !== undefined && { text }), sentAt: new Date().toISOString(), recipients };
    await service.deliver(recipientsFound, data, 2, users.admin._id);
    await waitForPushes(subscription, 1);
    return subscription.received[0]?.content;
  };

  it('is pushed if chat publishes it', async () => {
    expect(await mention(`<@${users.member._id}> the safe is <#1>`)).toMatchObject({
      title: 'Ada Admin mentioned you in design',
      text: '@Mia Member the safe is <#1>',
      unreadCount: 1,
    });
  });

  it('is replaced by the conversation otherwise', async () => {
    expect(await mention()).toMatchObject({ title: 'Ada Admin mentioned you in', text: 'design' });
  });
});

describe('the signing key', () => {
  it('is the previous one for browsers that subscribed with it, until it is removed', async () => {
    const next = new Uint8Array(randomBytes(32));
    const { user, subscription } = await createSubscriber();
    const rotated = await startNotifications({
      VAPID_PRIVATE_KEY: encodeKey(next),
      VAPID_PRIVATE_KEY_PREVIOUS: encodeKey(privateKey),
      PUSH_HOSTS: pushService.origin,
      MONGO_URL: service.env.MONGO_URL ?? '',
    });
    try {
      rotated.service.addToDirectory(user);
      const fields = { projectId: newId(), status: 'todo', version: 1, assignedTo: user._id, dueDate: null };
      const task = { taskId: newId(), title: 'After the rotation', ...fields };
      await rotated.service.deliver(taskCreated, task, 2, rotated.users.manager._id);
      await waitForPushes(subscription, 1);
      const { body } = await rotated.service.call('GET', '/push/key', { as: rotated.users.member });
      expect(body).toEqual({ publicKey: toPushKey(next).publicKey });
    } finally {
      await rotated.service.close();
    }
  });
});

describe('without a key', () => {
  it('browsers cannot subscribe', async () => {
    const { service: unconfigured, users: others } = await startNotifications();
    try {
      expect((await unconfigured.call('GET', '/push/key', { as: others.member })).body).toEqual({ publicKey: null });
      const body = toBody(pushService.subscribe(publicKey));
      const response = await unconfigured.call('POST', '/push/subscriptions', { as: others.member, body });
      expect([response.status, (response.body as { message: string[] }).message]).toEqual([400, [PUSH_DISABLED]]);
    } finally {
      await unconfigured.close();
    }
  });
});
