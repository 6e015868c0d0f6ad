import type { ResponseOf } from '@atrium/proto-events/endpoint';
import { conversationUpdated } from '@atrium/proto-events/events/chat';
import type { Conversation, getUnread } from '@atrium/proto-events/http/chat/conversations';
import { describe, expect, it } from '@jest/globals';
import { createDirect, createGroup, type People, request, send } from './factories.ts';
import { call, people, service } from './running-chat.ts';

const UNKNOWN = 'f'.repeat(24);
const MANAGE_DENIED = "You don't have permission to manage this conversation.";
const participantIds = (conversation: Conversation) => conversation.participants.map(({ _id }) => _id);
const get = (as: keyof People, id: string) =>
  request<Conversation>(service, people[as], ['GET', `/chat/conversations/${id}`]);

describe('the participants of a channel', () => {
  const add = (as: keyof People, id: string, body: unknown) =>
    call(as, 'POST', `/chat/conversations/${id}/participants`, body);
  const remove = (as: keyof People, id: string, userId: string) =>
    call(as, 'DELETE', `/chat/conversations/${id}/participants`, { userId });

  it('are added by the creator with all messages marked as read, and the change is published', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    await send(service, people.member, _id, 'before');
    const { status, body } = await add('member', _id, { userId: people.cleo._id });
    expect(status).toBe(200);
    expect(participantIds(body as Conversation)).toEqual([people.member._id, people.ben._id, people.cleo._id]);
    expect(await get('cleo', _id)).toMatchObject({
      unreadCount: 0,
      lastReadSeq: 1,
      lastMessage: { content: 'before' },
    });
    const event = await service.waitForEvent(conversationUpdated, (data) => data.conversationId === _id);
    expect(event.data).toMatchObject({ addedIds: [people.cleo._id], removedIds: [], changed: ['participants'] });
  });

  it('do not change when added again', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    await send(service, people.member, _id);
    const { status, body } = await add('admin', _id, { userId: people.ben._id });
    expect(status).toBe(200);
    expect(body).toMatchObject({ version: 1 });
    expect(await get('ben', _id)).toMatchObject({ unreadCount: 1 });
  });

  it('are removed by the creator or an administrator, with the user id in the body or the path', async () => {
    const { member, ben, cleo } = people;
    const { _id } = await createGroup(service, [member, ben, cleo]);
    expect((await remove('member', _id, ben._id)).status).toBe(204);
    const byPath = await call('admin', 'DELETE', `/chat/conversations/${_id}/participants/${cleo._id}`);
    expect(byPath.status).toBe(204);
    expect(participantIds(await get('member', _id))).toEqual([member._id]);
    expect((await call('ben', 'GET', `/chat/conversations/${_id}`)).status).toBe(404);
    const event = await service.waitForEvent(
      conversationUpdated,
      (data) => data.conversationId === _id && data.removedIds.includes(cleo._id),
    );
    expect(event.data.participantIds).toEqual([member._id]);
    expect((await remove('member', _id, ben._id)).status).toBe(404);
  });

  it('cannot be removed if they are the creator or the caller', async () => {
    const { member, admin } = people;
    const { _id } = await createGroup(service, [member, admin]);
    const creatorResponse = await remove('admin', _id, member._id);
    expect(creatorResponse.status).toBe(409);
    expect(creatorResponse.body).toMatchObject({ message: 'The creator cannot be removed from the conversation' });
    const selfResponse = await remove('admin', _id, admin._id);
    expect(selfResponse.status).toBe(409);
    expect(selfResponse.body).toMatchObject({ message: 'You cannot remove yourself from the conversation' });
    expect((await call('admin', 'DELETE', `/chat/conversations/${_id}/participants/${member._id}`)).status).toBe(409);
  });

  it('cannot be changed by other participants, and are hidden from everyone else', async () => {
    const { ben, cleo } = people;
    const { _id } = await createGroup(service, [people.member, ben]);
    const rejectedResponse = await add('ben', _id, { userId: cleo._id });
    expect(rejectedResponse.status).toBe(403);
    expect(rejectedResponse.body).toMatchObject({ message: MANAGE_DENIED });
    expect((await remove('ben', _id, people.member._id)).status).toBe(403);
    expect((await add('stranger', _id, { userId: cleo._id })).status).toBe(404);
    const path = `/chat/conversations/${_id}/participants`;
    expect((await call('stranger', 'DELETE', `${path}/${ben._id}`)).status).toBe(404);
    expect((await call('member', 'DELETE', `${path}/nonsense`)).status).toBe(404);
    for (const method of ['POST', 'DELETE']) expect((await service.call(method, path, { body: {} })).status).toBe(401);
    expect((await service.call('DELETE', `${path}/${ben._id}`)).status).toBe(401);
  });

  it('must be active users with a valid id', async () => {
    const { _id } = await createGroup(service, [people.member]);
    expect((await add('member', _id, { userId: UNKNOWN })).status).toBe(400);
    expect((await add('member', _id, { userId: people.inactive._id })).status).toBe(400);
    expect((await add('member', _id, {})).status).toBe(400);
    expect((await add('admin', UNKNOWN, { userId: people.ben._id })).status).toBe(404);
    expect((await call('member', 'DELETE', `/chat/conversations/${_id}/participants`, {})).status).toBe(400);
  });

  it('cannot be changed in a direct conversation', async () => {
    const { _id } = await createDirect(service, people.member, people.ben);
    expect((await add('member', _id, { userId: people.cleo._id })).status).toBe(409);
    expect((await remove('member', _id, people.ben._id)).status).toBe(409);
  });
});

describe('reading a conversation', () => {
  const read = (as: keyof People, id: string, body?: unknown) =>
    call(as, 'POST', `/chat/conversations/${id}/read`, body);

  /** Finds the unread count of a conversation in the list of all. */
  async function findUnread(as: keyof People, id: string) {
    const { total, unread } = (await call(as, 'GET', '/chat/unread')).body as ResponseOf<typeof getUnread>;
    expect(total).toBe(unread.reduce((sum, { count }) => sum + count, 0));
    return unread.find(({ conversation }) => conversation === id);
  }

  it('leaves the messages of others after the read position unread, and never decreases it', async () => {
    const { member, ben } = people;
    const { _id } = await createGroup(service, [member, ben]);
    for (const content of ['1', '2']) await send(service, ben, _id, content);
    await send(service, member, _id, '3');
    await send(service, ben, _id, '4');
    const count = await call('member', 'GET', `/chat/conversations/${_id}/unread-count`);
    expect(count.body).toEqual({ count: 3, unreadCount: 3 });
    expect((await read('member', _id, { seq: 3 })).body).toEqual({ updatedCount: 2, seq: 3 });
    expect((await read('member', _id, { seq: 1 })).body).toEqual({ updatedCount: 0, seq: 3 });
    expect(await findUnread('member', _id)).toEqual({
      ...{ conversation: _id, count: 1, lastSeq: 4, readRevision: 0, mentions: [] },
    });
    expect(await get('member', _id)).toMatchObject({ unreadCount: 1, lastReadSeq: 3 });
    expect((await read('member', _id)).body).toEqual({ updatedCount: 1, seq: 4 });
    expect(await findUnread('member', _id)).toBeUndefined();
    expect((await read('member', _id, { seq: 1_000_000 })).body).toEqual({ updatedCount: 0, seq: 4 });
    expect(await get('ben', _id)).toMatchObject({ unreadCount: 1, lastReadSeq: 0 });
  });

  it('is rejected with 404 for non-participants', async () => {
    const { _id } = await createGroup(service, [people.member]);
    expect((await read('stranger', _id)).status).toBe(404);
    expect((await read('admin', _id)).status).toBe(404);
    expect((await read('member', 'nonsense')).status).toBe(404);
    expect((await read('member', _id, { seq: -1 })).status).toBe(400);
    expect((await call('stranger', 'GET', `/chat/conversations/${_id}/unread-count`)).status).toBe(404);
    expect((await call('member', 'GET', '/chat/conversations/nonsense/unread-count')).status).toBe(404);
    expect((await service.call('GET', `/chat/conversations/${_id}/unread-count`)).status).toBe(401);
    expect((await service.call('POST', `/chat/conversations/${_id}/read`)).status).toBe(401);
    expect((await service.call('GET', '/chat/unread')).status).toBe(401);
  });
});
