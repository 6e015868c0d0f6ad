import { randomUUID } from 'node:crypto';
import { messageSent, replySent } from '@atrium/proto-events/events/chat';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { FollowedThread } from '@atrium/proto-events/http/chat/threads';
import { describe, expect, it } from '@jest/globals';
import { createGroup, type People, request, send } from './factories.ts';
import { call, people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';

type As = keyof People;
type Page = { data: Message[]; root: Message; total: number; revision: number };

const get = <T>(as: As, path: string) => request<T>(service, people[as], ['GET', path]);
const reply = (as: As, root: Message, content: string, extra: object = {}) =>
  request<Message>(service, people[as], [
    'POST',
    '/chat/messages',
    { conversation: root.conversation, thread: root._id, content, ...extra },
  ]);
const listReplies = (as: As, root: Message, query = '') =>
  get<Page>(as, `/chat/messages/${root._id}/thread${query && `?${query}`}`);
const list = (as: As, { conversation }: Message, query = '') =>
  get<Page>(as, `/chat/messages?conversation=${conversation}${query && `&${query}`}`);
const listThreads = (as: As, query = '') =>
  get<{ data: FollowedThread[]; total: number }>(as, `/chat/threads?${query}`);
const countUnread = async (as: As) => (await get<{ threads: number }>(as, '/chat/unread')).threads;
const readAll = (as: As, root: Message) => call(as, 'POST', `/chat/messages/${root._id}/thread/read`, {});

async function startThread() {
  const { _id } = await createGroup(service, [people.member, people.ben, people.cleo]);
  const root = await send(service, people.member, _id, 'Where do we meet?');
  return { root, readRoot: async (as: As) => (await list(as, root, 'limit=100')).data[0] as Message };
}

describe('a reply', () => {
  it('has its own seq in the thread, and none in the conversation', async () => {
    const { root } = await startThread();
    const first = await reply('ben', root, 'In the kitchen');
    expect(first).toMatchObject({ conversation: root.conversation, seq: 1, thread: { root: root._id } });
    await reply('cleo', root, 'Or outside');
    const page = await listReplies('member', root);
    expect(page.data.map(({ seq, content }) => [seq, content])).toEqual([
      [1, 'In the kitchen'],
      [2, 'Or outside'],
    ]);
    expect(page.root).toMatchObject({ _id: root._id, thread: { replyCount: 2 } });
    expect((await list('member', root)).data.map(({ _id }) => _id)).toEqual([root._id]);
    expect((await listReplies('member', root, 'after=1')).data.map(({ seq }) => seq)).toEqual([2]);
  });

  it('changes what the root shows, as a revision of the conversation', async () => {
    const { root, readRoot } = await startThread();
    const { revision } = await list('ben', root);
    await reply('ben', root, 'one');
    const last = await reply('cleo', root, 'two');
    const page = await list('ben', root, `changedAfter=${revision}`);
    expect(page.revision).toBe(revision + 2);
    expect(page.data[0]?.thread).toEqual({
      lastSeq: 2,
      replyCount: 2,
      lastReplyAt: last.createdAt,
      people: [expect.objectContaining({ _id: people.cleo._id }), expect.objectContaining({ _id: people.ben._id })],
      followed: true,
      unreadCount: 1,
      readRevision: expect.any(Number),
    });
    expect((await readRoot('member')).thread).toMatchObject({ followed: true, unreadCount: 2 });
    expect((await call('cleo', 'DELETE', `/chat/messages/${last._id}`)).status).toBe(204);
    expect((await readRoot('ben')).thread).toMatchObject({ replyCount: 1, lastSeq: 2 });
    expect((await listReplies('ben', root)).data[1]).toMatchObject({ deleted: true, content: '' });
  });

  it('is also shown in the conversation on request, and both change together', async () => {
    const { root } = await startThread();
    const sent = await reply('ben', root, 'For everyone', { alsoInConversation: true });
    const copy = (await list('member', root)).data.at(-1);
    expect(copy).toMatchObject({ _id: sent._id, seq: 2, content: 'For everyone', thread: { root: root._id } });
    const socket = await connectChat(service, people.member);
    await request(service, people.ben, ['PATCH', `/chat/messages/${sent._id}`, { content: 'For all' }]);
    await request(service, people.cleo, ['PUT', `/chat/messages/${sent._id}/reactions/${encodeURIComponent('👍')}`]);
    for (const page of [await list('member', root), await listReplies('member', root)])
      expect(page.data.at(-1)).toMatchObject({ content: 'For all', reactions: [{ emoji: '👍', count: 1 }] });
    await socket.receives('message:updated', ({ message, thread }) => thread === root._id && message.seq === 1);
    await socket.receives('message:updated', ({ message, thread }) => thread === undefined && message.seq === 2);
    await call('ben', 'DELETE', `/chat/messages/${sent._id}`);
    for (const page of [await list('member', root), await listReplies('member', root)])
      expect(page.data.at(-1)).toMatchObject({ deleted: true, content: '', reactions: [] });
    const event = await service.waitForEvent(messageSent, (data) => data.messageId === sent._id);
    expect(event.data.seq).toBe(2);
    expect((await service.waitForEvent(replySent, (data) => data.messageId === sent._id)).data).toEqual({
      conversationId: root.conversation,
      rootId: root._id,
      messageId: sent._id,
      seq: 1,
      senderId: people.ben._id,
    });
  });

  it('reaches all participants, and its sender’s own devices with their state', async () => {
    const { root } = await startThread();
    const sockets = {
      member: await connectChat(service, people.member),
      ben: await connectChat(service, people.ben),
      cleo: await connectChat(service, people.cleo),
    };
    const sent = await reply('ben', root, 'Hello');
    const payload = await sockets.member.receives('thread:message');
    await sockets.cleo.receives('thread:message');
    expect(payload).toMatchObject({
      message: { _id: sent._id, seq: 1, thread: { root: root._id } },
      thread: { lastSeq: 1, replyCount: 1, people: [{ _id: people.ben._id }] },
      revision: 1,
    });
    expect(payload.thread).not.toHaveProperty('followed');
    expect(await sockets.ben.receives('thread:read')).toEqual({
      conversation: root.conversation,
      root: root._id,
      followed: true,
      lastSeq: 1,
      lastReadSeq: 0,
      unreadCount: 0,
      readRevision: expect.any(Number),
    });
    const { conversation, _id: rootId } = root;
    expect(await sockets.member.receives('thread:reply')).toEqual({ conversation, root: rootId, lastSeq: 1 });
    expect(sockets.ben.all('thread:reply')).toEqual([]);
    expect(sockets.cleo.all('thread:reply')).toEqual([]);
    expect(sockets.member.all('thread:read')).toEqual([]);
    expect(sockets.member.all('message:new').map(({ message }) => message._id)).not.toContain(sent._id);
  });

  it('is sent once, however often it is requested', async () => {
    const { root, readRoot } = await startThread();
    const clientMessageId = randomUUID();
    const extra = { clientMessageId, alsoInConversation: true };
    const replies = await Promise.all(Array.from({ length: 4 }, () => reply('ben', root, 'once', extra)));
    expect(new Set(replies.map(({ _id }) => _id)).size).toBe(1);
    expect((await readRoot('ben')).thread).toMatchObject({ replyCount: 1, lastSeq: 1 });
    expect((await list('ben', root)).total).toBe(2);
  });

  it('can be one of many at once', async () => {
    const { root, readRoot } = await startThread();
    const users = ['member', 'ben', 'cleo'] as const;
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index % 5 === 0
          ? send(service, people.member, root.conversation)
          : reply(users[index % 3] ?? 'ben', root, String(index), { alsoInConversation: index % 2 === 0 }),
      ),
    );
    const { thread } = await readRoot('ben');
    expect(thread).toMatchObject({ replyCount: 24, lastSeq: 24 });
    expect((await listReplies('ben', root, 'limit=100')).data.map(({ seq }) => seq)).toEqual(
      Array.from({ length: 24 }, (_, index) => index + 1),
    );
  });

  it('is rejected for a reply, a message elsewhere, a deleted one without replies, and strangers', async () => {
    const { root } = await startThread();
    const sent = await reply('ben', root, 'one', { alsoInConversation: true });
    const other = await startThread();
    const post = (as: As, body: object) => call(as, 'POST', '/chat/messages', { content: 'x', ...body });
    const { conversation } = root;
    expect((await post('ben', { conversation, thread: sent._id })).status).toBe(400);
    expect((await post('ben', { conversation, thread: other.root._id })).status).toBe(404);
    expect((await post('stranger', { conversation, thread: root._id })).status).toBe(404);
    expect((await post('admin', { conversation, thread: root._id })).status).toBe(404);
    await call('member', 'DELETE', `/chat/messages/${other.root._id}`);
    expect((await post('ben', { conversation: other.root.conversation, thread: other.root._id })).status).toBe(409);
    await call('member', 'DELETE', `/chat/messages/${root._id}`);
    expect((await post('ben', { conversation, thread: root._id })).status).toBe(201);
    expect((await list('cleo', root)).data[0]).toMatchObject({ deleted: true, thread: { replyCount: 2 } });
  });
});

describe('a thread', () => {
  it('is followed by the author of its root and by everyone who replies, and counts for them alone', async () => {
    const before = { member: await countUnread('member'), cleo: await countUnread('cleo') };
    const { root } = await startThread();
    await reply('ben', root, 'one');
    await reply('ben', root, 'two');
    expect(await countUnread('member')).toBe(before.member + 2);
    expect(await countUnread('cleo')).toBe(before.cleo);
    const unread = await get<{ count: number }>('member', `/chat/conversations/${root.conversation}/unread-count`);
    expect(unread.count).toBe(0);
    expect((await listThreads('member', 'filter=unread')).data[0]).toMatchObject({
      _id: root._id,
      conversation: root.conversation,
      root: { content: root.content, thread: { unreadCount: 2 } },
      lastReply: { content: 'two', seq: 2 },
      unreadCount: 2,
    });
    expect((await listThreads('cleo')).data.map(({ _id }) => _id)).not.toContain(root._id);
  });

  it('is read up to a reply, on all devices, and never backward', async () => {
    const { root } = await startThread();
    for (const text of ['one', 'two', 'three']) await reply('ben', root, text);
    const socket = await connectChat(service, people.member);
    const read = (seq?: number) =>
      request(service, people.member, [
        'POST',
        `/chat/messages/${root._id}/thread/read`,
        seq === undefined ? {} : { seq },
      ]);
    expect(await read(2)).toEqual({ updatedCount: 2, seq: 2, unreadCount: 1 });
    expect(await read(1)).toEqual({ updatedCount: 0, seq: 2, unreadCount: 1 });
    expect(await socket.receives('thread:read')).toMatchObject({ root: root._id, lastReadSeq: 2, unreadCount: 1 });
    expect(await read()).toEqual({ updatedCount: 1, seq: 3, unreadCount: 0 });
    expect((await listThreads('member', 'filter=unread')).data.map(({ _id }) => _id)).not.toContain(root._id);
    expect((await listThreads('member')).data[0]?._id).toBe(root._id);
    expect((await readAll('cleo', root)).body).toMatchObject({ updatedCount: 0 });
  });

  it('can be followed before its first reply, and left', async () => {
    const { root } = await startThread();
    const follow = (method: string) => call('cleo', method, `/chat/messages/${root._id}/follow`);
    expect((await follow('PUT')).body).toEqual({ followed: true, unreadCount: 0, readRevision: expect.any(Number) });
    const socket = await connectChat(service, people.cleo);
    await reply('ben', root, 'one');
    expect((await list('cleo', root)).data[0]?.thread).toMatchObject({ followed: true, unreadCount: 1 });
    expect((await follow('DELETE')).body).toEqual({ followed: false, unreadCount: 0, readRevision: 0 });
    expect(await socket.receives('thread:read')).toMatchObject({ root: root._id, followed: false });
    expect((await list('cleo', root)).data[0]?.thread).toMatchObject({ followed: false, unreadCount: 0 });
    expect((await follow('PUT')).body).toEqual({ followed: true, unreadCount: 0, readRevision: expect.any(Number) });
    expect((await call('stranger', 'PUT', `/chat/messages/${root._id}/follow`)).status).toBe(404);
  });

  it('ends for users who leave the conversation', async () => {
    const { root } = await startThread();
    const sent = await reply('ben', root, 'one');
    await reply('cleo', root, 'two');
    expect((await call('cleo', 'POST', `/chat/conversations/${root.conversation}/leave`)).status).toBe(204);
    const before = await countUnread('cleo');
    const socket = await connectChat(service, people.cleo);
    await reply('ben', root, 'secret');
    expect(await countUnread('cleo')).toBe(before);
    expect((await listThreads('cleo')).data.map(({ _id }) => _id)).not.toContain(root._id);
    for (const [method, path] of [
      ['GET', `/chat/messages/${root._id}/thread`],
      ['POST', `/chat/messages/${root._id}/thread/read`],
      ['PUT', `/chat/messages/${root._id}/follow`],
      ['DELETE', `/chat/messages/${root._id}/follow`],
      ['GET', `/chat/messages?conversation=${root._id}`],
      ['GET', `/chat/conversations/${root._id}`],
      ['PUT', `/chat/messages/${sent._id}/reactions/${encodeURIComponent('👍')}`],
    ] as const)
      expect([path, (await call('cleo', method, path)).status]).toEqual([path, 404]);
    await reply('ben', root, 'more');
    expect(socket.all('thread:message')).toEqual([]);
  });

  it('is not a conversation', async () => {
    const { root } = await startThread();
    await reply('ben', root, 'one');
    for (const as of ['member', 'ben', 'admin'] as const) {
      expect((await call(as, 'GET', `/chat/conversations/${root._id}`)).status).toBe(404);
      expect((await call(as, 'PATCH', `/chat/conversations/${root._id}`, { title: 'x' })).status).toBe(404);
      expect((await call(as, 'DELETE', `/chat/conversations/${root._id}`)).status).toBe(404);
      const body = { conversation: root._id, content: 'x' };
      expect((await call(as, 'POST', '/chat/messages', body)).status).toBe(404);
    }
  });
});
