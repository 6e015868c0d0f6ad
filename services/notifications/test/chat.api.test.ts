import {
  conversationDeleted,
  conversationUpdated,
  mentionsRemoved,
  messageChanged,
  messagesRead,
  recipientsFound,
} from '@atrium/proto-events/events/chat';
import type { NoticeKind, NoticeLevel, NoticeReason } from '@atrium/proto-events/notices/kinds';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { newId } from '@atrium/service-kit/process/new-id';
import { makeDigestsDue } from '@atrium/test-kit/make-digests-due';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Connection } from 'mongoose';
import { chatHandlers } from '../src/handlers/on-chat-events.ts';
import { notifyUsers } from '../src/notifications/notify-users.ts';
import { createStore, type Store } from '../src/store/store.ts';
import { buildUniqueUser, type TestUsers } from './factories.ts';
import { emailsTo, waitForEmail } from './mailbox.ts';
import { startScenario } from './scenario.ts';
import { startWithStore } from './start-with-store.ts';

let service: TestService;
let users: TestUsers;
let store: Connection;

beforeAll(async () => {
  ({ service, users, store } = await startWithStore());
});
afterAll(() => service?.close());

type User = TestUsers[keyof TestUsers];
type Notification = {
  _id: string;
  kind: string;
  notice: unknown;
  subject: { resource: string; id: string; title: string; place?: { seq: number } };
  actorCount: number;
  eventCount: number;
  readAt: string | null;
};
type Page = { data: Notification[]; total: number; unreadCount: number; unreadInChat: number };

function createUser(): User {
  const user = buildUniqueUser();
  service.addToDirectory(user);
  return user;
}

async function list(user: User, query = ''): Promise<Page> {
  const { status, body } = await service.call('GET', `/notifications${query}`, { as: user });
  expect(status).toBe(200);
  return body as Page;
}

type Sent = {
  conversation: string;
  seq?: number;
  kind?: NoticeKind;
  reason?: NoticeReason;
  level?: NoticeLevel;
  title?: string | null;
  thread?: string;
  by?: User;
  minutesAgo?: number;
  text?: string;
};

function found(to: readonly User[], { conversation, seq = 1, thread, ...sent }: Omit<Sent, 'by'>) {
  const messageId = newId();
  const { kind = 'mention', reason = 'mentioned', level = 'all', title = 'design', minutesAgo = 0, text } = sent;
  return {
    ...{ conversationId: conversation, title, messageId, seq, cause: messageId },
    ...(thread !== undefined && { rootId: thread }),
    ...(text !== undefined && { text }),
    sentAt: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    recipients: to.map(({ _id: userId }) => ({ userId, kind, reason, level })),
  };
}

/** Delivers it twice. Returns the id of the message. */
async function sendMessage(to: readonly User[], { by = users.admin, ...sent }: Sent): Promise<string> {
  const data = found(to, sent);
  await service.deliver(recipientsFound, data, 2, by._id);
  return data.messageId;
}

const read = (user: User, conversationId: string, seq: number, rootId?: string) =>
  service.deliver(messagesRead, { userId: user._id, conversationId, seq, ...(rootId !== undefined && { rootId }) }, 2);

describe('a notification of a message', () => {
  it('shows why the user received it, where the message is, and what turns it off', async () => {
    const [user, conversation] = [createUser(), newId()];
    await sendMessage([user], { conversation, seq: 7, kind: 'mention', reason: 'group_mentioned' });
    await sendMessage([user], { conversation: newId(), kind: 'direct_message', reason: 'conversation', title: null });
    const [direct, mention] = (await list(user)).data;
    expect(mention).toMatchObject({
      kind: 'chat.mention.sent',
      notice: { kind: 'mention', reason: 'group_mentioned', setting: 'conversation' },
      actor: { _id: users.admin._id },
      subject: { resource: 'conversation', id: conversation, title: 'design', place: { conversation, seq: 7 } },
    });
    expect(direct?.subject.title).toBe('a direct message');
  });

  it('stands for several messages of a kind within ten minutes, and opens the first', async () => {
    const [user, conversation] = [createUser(), newId()];
    await sendMessage([user], { conversation, seq: 1, minutesAgo: 12 });
    await sendMessage([user], { conversation, seq: 2, minutesAgo: 1 });
    await sendMessage([user], { conversation, seq: 3, by: users.manager });
    await sendMessage([user], { conversation, seq: 4, kind: 'thread_reply', thread: newId() });
    const { data, unreadCount } = await list(user);
    expect(data.map(({ subject, eventCount, actorCount }) => [subject.place?.seq, eventCount, actorCount])).toEqual([
      [4, 1, 1],
      [2, 2, 2],
      [1, 1, 1],
    ]);
    expect(unreadCount).toBe(3);
  });

  it('counts at most 100 messages, and is read with the last one', async () => {
    const [user, conversation] = [createUser(), newId()];
    for (let seq = 1; seq <= 103; seq += 1) await sendMessage([user], { conversation, seq });
    const [notification, ...others] = (await list(user)).data;
    expect([notification?.eventCount, notification?.subject.place?.seq, others]).toEqual([100, 1, []]);
    await read(user, conversation, 102);
    expect((await list(user)).unreadCount).toBe(1);
    await read(user, conversation, 103);
    expect((await list(user)).unreadCount).toBe(0);
  });

  it('counts an event once that is delivered again after a later one', async () => {
    const [user, conversation] = [createUser(), newId()];
    const first = found([user], { conversation, seq: 1, minutesAgo: 2 });
    for (const data of [first, found([user], { conversation, seq: 2, minutesAgo: 1 }), first])
      await service.deliver(recipientsFound, data, 2, users.admin._id);
    expect((await list(user)).data.map(({ eventCount }) => eventCount)).toEqual([2]);
  });

  it('counts each event once if one arrives after a later one', async () => {
    const [user, conversation] = [createUser(), newId()];
    for (const minutesAgo of [4, 5, 3, 2, 2]) await sendMessage([user], { conversation, minutesAgo });
    const counts = (await list(user)).data.map(({ eventCount }) => eventCount);
    expect(counts).toEqual([4, 1]);
  });

  it('follows the level of the conversation and the channels of its kind', async () => {
    const user = createUser();
    const conversation = newId();
    await sendMessage([user], { conversation, kind: 'direct_message', level: 'mentions' });
    await sendMessage([user], { conversation, kind: 'channel_message' });
    await sendMessage([user], { conversation, kind: 'mention', level: 'mentions' });
    expect((await list(user)).data.map(({ kind }) => kind)).toEqual(['chat.mention.sent']);
    expect(await store.collection('notifications').countDocuments({ personId: user._id })).toBe(1);
  });

  it('can be listed by filter and kind', async () => {
    const user = createUser();
    await sendMessage([user], { conversation: newId() });
    await sendMessage([user], { conversation: newId(), kind: 'reaction', reason: 'own_message' });
    const kindsOf = async (query: string) => (await list(user, query)).data.map(({ kind }) => kind);
    const [, mention] = (await list(user)).data;
    expect(await kindsOf('?filter=mentions')).toEqual(['chat.mention.sent']);
    expect(await kindsOf('?kind=reaction')).toEqual(['chat.reaction.sent']);
    expect(await kindsOf('?kind=reaction&filter=mentions')).toEqual([]);
    await service.call('POST', '/notifications/read', { as: user, body: { ids: [mention?._id] } });
    expect(await list(user, '?filter=unread')).toMatchObject({ total: 1, unreadCount: 1 });
    expect((await service.call('GET', '/notifications?kind=boats', { as: user })).status).toBe(400);
  });
});

describe('GET /notifications', () => {
  it('counts how many unread ones are about messages, regardless of the page', async () => {
    const [user, conversation] = [createUser(), newId()];
    await sendMessage([user], { conversation });
    await sendMessage([user], { conversation, seq: 2, kind: 'thread_reply', thread: newId() });
    await sendMessage([user], { conversation, seq: 3, kind: 'reaction', reason: 'own_message' });
    expect(await list(user, '?limit=1')).toMatchObject({ unreadCount: 3, unreadInChat: 2 });
    expect(await list(user, '?limit=1&page=3')).toMatchObject({ unreadCount: 3, unreadInChat: 2 });
    await read(user, conversation, 3);
    expect(await list(user)).toMatchObject({ unreadCount: 2, unreadInChat: 1 });
    expect(await list(createUser())).toMatchObject({ unreadCount: 0, unreadInChat: 0 });
  });
});

describe('reading', () => {
  it('withdraws the notifications of messages up to the read position', async () => {
    const [user, other, conversation] = [createUser(), createUser(), newId()];
    await sendMessage([user, other], { conversation, seq: 1, minutesAgo: 11 });
    await sendMessage([user, other], { conversation, seq: 2 });
    await sendMessage([user], { conversation, seq: 3 });
    await read(user, conversation, 2);
    expect((await list(user)).data.map(({ readAt }) => readAt !== null)).toEqual([false, true]);
    await read(user, conversation, 3);
    expect([(await list(user)).unreadCount, (await list(other)).unreadCount]).toEqual([0, 2]);
  });

  it('of a thread is separate from its conversation', async () => {
    const [user, conversation, thread] = [createUser(), newId(), newId()];
    await sendMessage([user], { conversation, seq: 1, kind: 'thread_reply', reason: 'followed_thread', thread });
    await read(user, conversation, 9);
    expect((await list(user)).unreadCount).toBe(1);
    await read(user, conversation, 1, thread);
    expect((await list(user)).unreadCount).toBe(0);
  });

  it('withdraws the email that has not been sent', async () => {
    const [user, other, conversation] = [createUser(), createUser(), newId()];
    await sendMessage([user, other], { conversation, kind: 'direct_message', reason: 'conversation', title: null });
    await read(user, conversation, 1);
    const ids = [user, other].map(({ _id }) => _id);
    await makeDigestsDue(store, ids);
    expect((await waitForEmail(other.email)).text).toMatch(/sent you .*a direct message/);
    await waitFor(async () => (await store.collection('digests').countDocuments({ userId: { $in: ids } })) === 0, {
      description: 'the end of the digests',
    });
    expect(await emailsTo(user.email)).toEqual([]);
  });

  it('what a notification is about withdraws it, and can be undone', async () => {
    const [user, conversation] = [createUser(), newId()];
    await sendMessage([user], { conversation });
    await sendMessage([user], { conversation: newId() });
    const opened = await service.call('POST', '/notifications/read', { as: user, body: { about: conversation } });
    expect(opened.body).toEqual({ updatedCount: 1 });
    const [, notification] = (await list(user)).data;
    const undone = await service.call('POST', '/notifications/unread', {
      as: user,
      body: { ids: [notification?._id] },
    });
    expect(undone.body).toEqual({ updatedCount: 1 });
    expect(await list(user)).toMatchObject({ unreadCount: 2, data: [{ readAt: null }, { readAt: null }] });
  });

  it('can be marked as unread only by id, and by users', async () => {
    expect((await service.call('POST', '/notifications/unread', { as: createUser(), body: {} })).status).toBe(400);
    expect((await service.call('POST', '/notifications/unread', { body: { ids: [] } })).status).toBe(401);
  });
});

describe('what is no longer there', () => {
  it('withdraws the mentions that an edit removes, unless they are about other messages as well', async () => {
    const [user, other, conversation] = [createUser(), createUser(), newId()];
    const messageId = await sendMessage([user, other], { conversation });
    await sendMessage([other], { conversation, seq: 2 });
    const userIds = [user._id, other._id];
    await service.deliver(mentionsRemoved, { conversationId: conversation, messageId, seq: 1, userIds }, 2);
    expect([(await list(user)).total, (await list(other)).total]).toEqual([0, 1]);
  });

  it('withdraws the notifications of a deleted message, unless they are about others as well', async () => {
    const [user, conversation] = [createUser(), newId()];
    const fields = { conversationId: conversation, seq: 1, action: 'deleted' as const };
    const remove = (messageId: string) => service.deliver(messageChanged, { ...fields, messageId }, 2);
    const first = await sendMessage([user], { conversation });
    await remove(first);
    expect((await list(user)).total).toBe(0);
    const second = await sendMessage([user], { conversation, seq: 2 });
    await sendMessage([user], { conversation, seq: 3 });
    await remove(second);
    expect((await list(user)).total).toBe(1);
  });

  it.each([{ action: 'edited' }, { action: 'deleted' }] as const)(
    'is not quoted, in notifications of other messages as well: a message that was $action',
    async ({ action }) => {
      const [user, conversation] = [createUser(), newId()];
      const first = await sendMessage([user], { conversation, seq: 1, text: 'The code is 1234' });
      const second = await sendMessage([user], { conversation, seq: 2, text: 'Thanks' });
      const findText = async () => (await store.collection('notifications').findOne({ personId: user._id }))?.text;
      const place = { conversationId: conversation, seq: 1 };
      const change = (messageId: string) => service.deliver(messageChanged, { ...place, action, messageId }, 2);
      await change(second);
      const reaction = { action: 'edited', change: 'reactions' } as const;
      await service.deliver(messageChanged, { ...place, ...reaction, messageId: first });
      expect(await findText()).toBe('The code is 1234');
      await change(first);
      expect([(await list(user)).total, await findText()]).toEqual([1, undefined]);
    },
  );

  it('is not quoted by an email that waits for its next attempt', async () => {
    const [user, conversation] = [createUser(), newId()];
    const messageId = await sendMessage([user], {
      conversation,
      kind: 'direct_message',
      reason: 'conversation',
      text: 'The code is 1234',
    });
    const due = new Date(Date.now() - 60_000);
    await store.collection('notifications').updateMany({ personId: user._id }, { $set: { digestAt: due } });
    await store.collection('digests').updateMany({ userId: user._id }, { $set: { at: due } });
    expect((await waitForEmail(user.email)).text).toContain('The code is 1234');
    const emails = store.collection('mails');
    const email = await waitFor(() => emails.findOne({ recipientId: user._id, state: 'sent' }), {
      description: 'the sent email',
    });
    await service.deliver(messageChanged, { conversationId: conversation, messageId, seq: 1, action: 'edited' }, 2);
    await emails.updateOne({ _id: email._id }, { $set: { state: 'queued', attempts: 9, nextAttemptAt: due } });
    expect((await waitForEmail(user.email, 2)).text).not.toContain('The code is 1234');
  });

  const TEXT = 'The code is 1234';
  const edit = (conversationId: string, messageId: string) =>
    service.deliver(messageChanged, { conversationId, messageId, seq: 1, action: 'edited' }, 2);
  const findQuote = async (user: User) => {
    const stored = await store.collection('notifications').findOne({ personId: user._id });
    return [stored?.messageId, stored?.text];
  };

  it('is not quoted if its remaining recipients are found after it was edited, by a pod whose clock is behind', async () => {
    const [user, conversation] = [createUser(), newId()];
    const message = found([user], { conversation, minutesAgo: -1, text: TEXT });
    await edit(conversation, message.messageId);
    await service.deliver(recipientsFound, message, 2);
    expect(await findQuote(user)).toEqual([message.messageId, undefined]);
  });

  it('is not quoted by what is published if it was edited while that was stored', async () => {
    const scenario = await startScenario();
    const { store: records } = scenario.deps;
    const [user, conversation, actorId] = [createUser(), newId(), newId()];
    const message = found([user], { conversation, text: TEXT });
    const { messageId } = message;
    const data = { conversationId: conversation, messageId, seq: 1, action: 'edited' as const };
    // Read after the text was checked, and before it is stored.
    const lean = async () => {
      await scenario.handle(chatHandlers(scenario.deps), { event: messageChanged, data, actorId });
      return [];
    };
    const published: unknown[] = [];
    const publish = async () => {
      const stored = await records.notifications.find({ messageId }).lean();
      published.push(...stored.map(({ personId, text }) => [personId, text]));
    };
    const deps = {
      ...scenario.deps,
      store: { ...records, visits: { find: () => ({ lean }) } as unknown as Store['visits'] },
      notificationPublisher: { ...scenario.deps.notificationPublisher, publish },
    };
    await scenario
      .handle(chatHandlers(deps), { event: recipientsFound, data: message, actorId })
      .finally(() => scenario.close());
    expect(published).toEqual([[user._id, undefined]]);
  });

  it('is not quoted by what an interrupted attempt stored while it was edited', async () => {
    const [user, conversation] = [createUser(), newId()];
    const message = found([user], { conversation, text: TEXT });
    const { messageId } = message;
    await service.deliver(recipientsFound, message);
    await edit(conversation, messageId);
    await store.collection('notifications').updateOne({ messageId }, { $set: { text: TEXT } });
    expect(await findQuote(user)).toEqual([messageId, TEXT]);
    await service.deliver(recipientsFound, message);
    expect(await findQuote(user)).toEqual([messageId, undefined]);
  });

  it('withdraws the notifications of users who left the conversation', async () => {
    const [user, other, conversation] = [createUser(), createUser(), newId()];
    await sendMessage([user, other], { conversation });
    await sendMessage([user], { conversation: newId() });
    await service.deliver(conversationUpdated, {
      ...{ conversationId: conversation, type: 'group', projectId: null, title: 'design', participantIds: [other._id] },
      ...{ version: 2, addedIds: [], removedIds: [user._id], changed: ['participants'] },
    });
    expect([(await list(user)).total, (await list(other)).total]).toEqual([1, 1]);
  });

  const conversationOf = (conversationId: string) => ({
    ...{ conversationId, type: 'group' as const, projectId: null, title: 'design', participantIds: [], version: 2 },
  });

  it('notifies nobody of a message whose remaining recipients are found after its deletion', async () => {
    const [user, late, conversation] = [createUser(), createUser(), newId()];
    const message = found([user], { conversation });
    await service.deliver(recipientsFound, message);
    const deletion = { conversationId: conversation, messageId: message.messageId, seq: 1, action: 'deleted' as const };
    await service.deliver(messageChanged, deletion);
    await service.deliver(recipientsFound, { ...message, recipients: found([late], { conversation }).recipients }, 2);
    expect([(await list(user)).total, (await list(late)).total]).toEqual([0, 0]);
  });

  it('notifies nobody of messages of a conversation whose recipients are found after its deletion', async () => {
    const [user, conversation] = [createUser(), newId()];
    const message = found([user], { conversation });
    await service.deliver(conversationDeleted, conversationOf(conversation));
    await service.deliver(recipientsFound, message);
    expect((await list(user)).total).toBe(0);
  });

  it('notifies a user who left only of messages after they rejoined', async () => {
    const [user, other, conversation] = [createUser(), createUser(), newId()];
    const message = found([user, other], { conversation });
    const change = { ...conversationOf(conversation), addedIds: [], removedIds: [user._id], changed: ['participants'] };
    await service.deliver(conversationUpdated, change);
    await service.deliver(recipientsFound, message);
    expect([(await list(user)).total, (await list(other)).total]).toEqual([0, 1]);
    await sendMessage([user], { conversation, seq: 2, minutesAgo: -1 });
    expect((await list(user)).total).toBe(1);
  });

  it('withdraws what is stored at the same time, and does not push it', async () => {
    const [user, taskId] = [createUser(), newId()];
    const records = createStore(service.env.MONGO_URL ?? '', createLogger('test', 'silent'));
    await records.connected;
    let calls = 0;
    const stored: number[] = [];
    const count = () => records.notifications.countDocuments({ personId: user._id });
    const notifiedIds = await notifyUsers(
      {
        store: records,
        directory: { user: () => user },
        notificationPublisher: { publish: async () => void stored.push(await count()) },
      },
      {
        event: { id: newId(), actorId: null, occurredAt: new Date().toISOString() },
        kind: 'projects.task.assigned',
        subject: { resource: 'task', id: taskId, title: 'Draw the plan' },
        userIds: [user._id],
        filterConcerned: async (ids) => {
          stored.push(await count());
          calls += 1;
          return calls === 1 ? ids : [];
        },
      },
    ).finally(() => records.close());
    expect([notifiedIds, stored]).toEqual([[], [0, 1, 0]]);
  });

  it('leaves no text of a deleted message with what is also about others', async () => {
    const [user, conversation] = [createUser(), newId()];
    const message = { ...found([user], { conversation }), text: 'The password is' };
    await service.deliver(recipientsFound, message);
    await sendMessage([user], { conversation, seq: 2 });
    const { messageId } = message;
    await service.deliver(messageChanged, { conversationId: conversation, messageId, seq: 1, action: 'deleted' });
    const stored = await store.collection('notifications').findOne({ personId: user._id });
    expect([stored?.messageId, stored?.text]).toEqual([messageId, undefined]);
  });
});
