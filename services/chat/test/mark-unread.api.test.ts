import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { Conversation, getUnread } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { markConversationUnread } from '@atrium/proto-events/http/chat/unread';
import { describe, expect, it } from '@jest/globals';
import { createGroup, type People, request, send } from './factories.ts';
import { call, people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';

type As = keyof People;
type Result = ResponseOf<typeof markConversationUnread>;
const markUnread = (as: As, conversation: string, seq: number) =>
  request<Result>(service, people[as], ['POST', `/chat/conversations/${conversation}/unread`, { seq }]);
const markRead = (as: As, conversation: string, body: { seq?: number; readRevision?: number } = {}) =>
  request<{ updatedCount: number; seq: number }>(service, people[as], [
    'POST',
    `/chat/conversations/${conversation}/read`,
    body,
  ]);
const getConversation = (as: As, id: string) =>
  request<Conversation>(service, people[as], ['GET', `/chat/conversations/${id}`]);
const listUnread = async (as: As, id: string) => {
  const { unread } = await request<ResponseOf<typeof getUnread>>(service, people[as], ['GET', '/chat/unread']);
  return unread.find(({ conversation }) => conversation === id);
};
const listMessages = async (as: As, id: string) =>
  (await request<{ data: Message[] }>(service, people[as], ['GET', `/chat/messages?conversation=${id}`])).data;

/** The member sends 1, 2, and 4, the last one with a mention of Ben, who sends 3 and has read everything. */
async function startConversation() {
  const { _id } = await createGroup(service, [people.member, people.ben, people.cleo]);
  for (const as of ['member', 'member', 'ben'] as const) await send(service, people[as], _id);
  await send(service, people.member, _id, `Hello <@${people.ben._id}>`);
  await markRead('ben', _id);
  return _id;
}

async function startThread() {
  const { _id: conversation } = await createGroup(service, [people.member, people.ben, people.cleo]);
  const root = await send(service, people.ben, conversation);
  for (const as of ['member', 'ben', 'member'] as const)
    await request(service, people[as], ['POST', '/chat/messages', { conversation, content: 'Hi', thread: root._id }]);
  await request(service, people.ben, ['POST', `/chat/messages/${root._id}/thread/read`, {}]);
  const readThread = async (as: As) =>
    (await request<{ root: Message }>(service, people[as], ['GET', `/chat/messages/${root._id}/thread`])).root.thread;
  const markThreadUnread = (as: As, seq: number) =>
    request<Result>(service, people[as], ['POST', `/chat/messages/${root._id}/thread/unread`, { seq }]);
  return { conversation, root, readThread, markThreadUnread };
}

describe('marking a message as unread', () => {
  it('makes it and all later ones of others unread, with their mentions', async () => {
    const id = await startConversation();
    const before = await getConversation('ben', id);
    const result = await markUnread('ben', id, 2);
    expect(result).toMatchObject({ lastReadSeq: 1, unreadCount: 2 });
    expect(result.readRevision).toBeGreaterThan(before.readRevision);
    const { readRevision } = result;
    expect(await getConversation('ben', id)).toMatchObject({ lastReadSeq: 1, unreadCount: 2, readRevision });
    expect(await listUnread('ben', id)).toEqual({
      conversation: id,
      count: 2,
      lastSeq: 4,
      readRevision,
      mentions: [4],
    });
    expect(await markUnread('ben', id, 1)).toMatchObject({ lastReadSeq: 0, unreadCount: 3 });
  });

  it('changes nothing if it is unread already', async () => {
    const id = await startConversation();
    const first = await markUnread('ben', id, 2);
    expect(await markUnread('ben', id, 4)).toEqual(first);
    expect(await markUnread('ben', id, 2)).toEqual(first);
  });

  it('includes the last message of others if only own ones follow', async () => {
    const id = await startConversation();
    await send(service, people.ben, id);
    await send(service, people.ben, id);
    await markRead('ben', id);
    expect(await markUnread('ben', id, 6)).toMatchObject({ lastReadSeq: 3, unreadCount: 1 });
    const { _id: own } = await createGroup(service, [people.member, people.ben]);
    await send(service, people.ben, own);
    await markRead('ben', own);
    expect(await markUnread('ben', own, 1)).toMatchObject({ lastReadSeq: 0, unreadCount: 0 });
  });

  it('is announced to own devices, and not to others, whose messages stay read', async () => {
    const id = await startConversation();
    const readers = (await listMessages('member', id)).map(({ readBy }) => readBy?.users.map(({ _id }) => _id));
    const [ben, member] = [await connectChat(service, people.ben), await connectChat(service, people.member)];
    const { readRevision } = await markUnread('ben', id, 1);
    expect(await ben.receives('conversation:state')).toEqual({
      conversation: id,
      lastSeq: 4,
      lastReadSeq: 0,
      unreadCount: 3,
      readRevision,
    });
    await send(service, people.ben, id);
    expect(await ben.receives('message:new')).toMatchObject({ unreadCount: 3, readRevision });
    expect(await member.receives('message:new')).not.toHaveProperty('readRevision');
    expect(member.all('message:read')).toEqual([]);
    expect(member.all('conversation:state')).toEqual([]);
    const afterward = (await listMessages('member', id)).slice(0, 4);
    expect(afterward.map(({ readBy }) => readBy?.users.map(({ _id }) => _id))).toEqual(readers);
    expect(readers[3]).toContain(people.ben._id);
  });

  it('is not undone by a read that was sent before it', async () => {
    const id = await startConversation();
    const { readRevision: before } = await getConversation('ben', id);
    const { readRevision } = await markUnread('ben', id, 2);
    expect(await markRead('ben', id, { seq: 4, readRevision: before })).toEqual({ updatedCount: 0, seq: 1 });
    expect((await getConversation('ben', id)).unreadCount).toBe(2);
    const ben = await connectChat(service, people.ben);
    await ben.succeeds('message:read', { conversation: id, seq: 4, readRevision: before });
    expect((await getConversation('ben', id)).unreadCount).toBe(2);
    expect(await markRead('ben', id, { seq: 4, readRevision })).toEqual({ updatedCount: 2, seq: 4 });
  });

  it('keeps its revision for who leaves and rejoins', async () => {
    const id = await startConversation();
    const { readRevision } = await markUnread('ben', id, 1);
    const path = `/chat/conversations/${id}/participants`;
    await request(service, people.member, ['DELETE', `${path}/${people.ben._id}`]);
    await service.query("update former_participants set left_at = now() - interval '1 day'");
    await request(service, people.member, ['DELETE', `${path}/${people.cleo._id}`]);
    await request(service, people.member, ['POST', path, { userId: people.ben._id }]);
    expect(await getConversation('ben', id)).toMatchObject({ lastReadSeq: 4, unreadCount: 0, readRevision });
    expect((await markUnread('ben', id, 1)).readRevision).toBeGreaterThan(readRevision);
  });

  it('is rejected for messages that do not exist, and for others', async () => {
    const id = await startConversation();
    const path = `/chat/conversations/${id}/unread`;
    expect((await call('ben', 'POST', path, { seq: 5 })).body).toMatchObject({ message: 'Message not found' });
    expect((await call('ben', 'POST', path, { seq: 0 })).status).toBe(400);
    expect((await call('ben', 'POST', path, {})).status).toBe(400);
    expect((await service.call('POST', path, { body: { seq: 1 } })).status).toBe(401);
    for (const as of ['stranger', 'admin'] as const) {
      const response = await call(as, 'POST', path, { seq: 1 });
      expect(response).toMatchObject({ status: 404, body: { message: 'Conversation not found' } });
    }
  });
});

describe('marking a reply as unread', () => {
  it('makes it and all later ones of others unread, in the thread only', async () => {
    const { conversation, root, readThread, markThreadUnread } = await startThread();
    const ben = await connectChat(service, people.ben);
    const before = await readThread('ben');
    const result = await markThreadUnread('ben', 1);
    expect(result).toMatchObject({ lastReadSeq: 0, unreadCount: 2 });
    expect(result.readRevision).toBeGreaterThan(before?.readRevision ?? 0);
    expect(await readThread('ben')).toMatchObject({ unreadCount: 2, readRevision: result.readRevision });
    expect(await ben.receives('thread:read')).toEqual({
      conversation,
      root: root._id,
      followed: true,
      lastSeq: 3,
      lastReadSeq: 0,
      unreadCount: 2,
      readRevision: result.readRevision,
    });
    expect((await getConversation('ben', conversation)).unreadCount).toBe(0);
    await call('ben', 'POST', `/chat/messages/${root._id}/thread/read`, { readRevision: before?.readRevision });
    expect((await readThread('ben'))?.unreadCount).toBe(2);
    await call('ben', 'POST', `/chat/messages/${root._id}/thread/read`, {});
    expect((await readThread('ben'))?.unreadCount).toBe(0);
  });

  it('follows the thread', async () => {
    const { readThread, markThreadUnread } = await startThread();
    expect(await readThread('cleo')).toMatchObject({ followed: false, unreadCount: 0 });
    expect(await markThreadUnread('cleo', 2)).toMatchObject({ lastReadSeq: 1, unreadCount: 2 });
    expect(await readThread('cleo')).toMatchObject({ followed: true, unreadCount: 2 });
  });

  it('is rejected for replies that do not exist, for replies to replies, and for others', async () => {
    const { root, conversation, readThread } = await startThread();
    const path = `/chat/messages/${root._id}/thread/unread`;
    expect((await call('cleo', 'POST', path, { seq: 4 })).status).toBe(404);
    expect(await readThread('cleo')).toMatchObject({ followed: false });
    expect((await call('ben', 'POST', path, { seq: 'last' })).status).toBe(400);
    expect((await service.call('POST', path, { body: { seq: 1 } })).status).toBe(401);
    for (const as of ['stranger', 'admin'] as const)
      expect((await call(as, 'POST', path, { seq: 1 })).status).toBe(404);
    const body = { conversation, content: 'Hi', thread: root._id };
    const reply = await request<Message>(service, people.ben, ['POST', '/chat/messages', body]);
    const nested = await call('ben', 'POST', `/chat/messages/${reply._id}/thread/unread`, { seq: 1 });
    expect(nested).toMatchObject({ status: 400, body: { message: ['A reply cannot have replies of its own'] } });
  });
});
