import type { ResponseOf } from '@atrium/proto-events/endpoint';
import {
  conversationCreated,
  conversationDeleted,
  conversationUpdated,
  messageSent,
} from '@atrium/proto-events/events/chat';
import type { Conversation, getUnread } from '@atrium/proto-events/http/chat/conversations';
import { buildUser } from '@atrium/test-kit/build-user';
import { describe, expect, it } from '@jest/globals';
import { createDirect, createGroup, type People, request, send } from './factories.ts';
import { people, service } from './running-chat.ts';

const UNKNOWN = 'f'.repeat(24);
const MANAGE_DENIED = "You don't have permission to manage this conversation.";
const call = (as: keyof People, method: string, path: string, body?: unknown) =>
  service.call(method, path, { as: people[as], body });
const create = (as: keyof People, body: unknown) => call(as, 'POST', '/chat/conversations', body);
const participantIds = (conversation: Conversation) => conversation.participants.map(({ _id }) => _id);
const get = (as: keyof People, id: string) =>
  request<Conversation>(service, people[as], ['GET', `/chat/conversations/${id}`]);

describe('POST /chat/conversations', () => {
  it('creates a channel with its creator, normalizes its name, and publishes it', async () => {
    const { member, ben } = people;
    const { status, body } = await create('member', {
      type: 'group',
      title: '  Design Team ',
      participants: [ben._id, '', ben._id],
    });
    expect(status).toBe(201);
    const conversation = body as Conversation;
    expect(conversation).toMatchObject({
      type: 'group',
      title: 'design-team',
      project: null,
      createdBy: { _id: member._id, firstName: 'Mia' },
      lastMessage: null,
      lastSeq: 0,
      unreadCount: 0,
      version: 1,
      abilities: { rename: true, manageParticipants: true, delete: false },
    });
    expect(participantIds(conversation)).toEqual([member._id, ben._id]);
    const event = await service.waitForEvent(conversationCreated, (data) => data.conversationId === conversation._id);
    expect(event.actorId).toBe(member._id);
    expect(event.data).toMatchObject({ type: 'group', title: 'design-team', participantIds: [member._id, ben._id] });
  });

  it.each([
    [{ type: 'group', participants: [] }, 'Channel name is required'],
    [{ type: 'group', title: '   ' }, 'Channel name is required'],
    [{ type: 'group', title: 'Ünïcode!' }, 'Channel name can only contain lowercase letters, numbers, and hyphens'],
    [{ type: 'group', title: 'ok', participants: [UNKNOWN] }, 'Participants must be active users'],
    [{ type: 'direct', participants: [] }, 'A direct conversation needs exactly one other person'],
    [{ type: 'direct', participants: ['', ''] }, 'A direct conversation needs exactly one other person'],
    [{ type: 'direct', participants: [UNKNOWN] }, 'Participants must be active users'],
    [{ type: 'group', title: 'ok', participants: ['nonsense'] }, undefined],
    [{ type: 'project', title: 'ok' }, undefined],
    [{}, undefined],
  ])('rejects %j', async (body, sentence) => {
    const response = await create('member', body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'validation_failed', message: [sentence ?? expect.any(String)] });
  });

  it('rejects inactive participants in channels and direct conversations', async () => {
    const { inactive } = people;
    expect((await create('member', { type: 'group', title: 'ok', participants: [inactive._id] })).status).toBe(400);
    expect((await create('member', { type: 'direct', participants: [inactive._id] })).status).toBe(400);
  });

  it('rejects a direct conversation with oneself or with two others', async () => {
    const { member, ben, cleo } = people;
    expect((await create('member', { type: 'direct', participants: [member._id] })).status).toBe(400);
    expect((await create('member', { type: 'direct', participants: [ben._id, cleo._id] })).status).toBe(400);
  });

  it('creates one direct conversation per pair, and responds with 200 and the existing one after that', async () => {
    const { ben, cleo } = people;
    const createdResponse = await create('ben', { type: 'direct', participants: [cleo._id, ben._id] });
    expect(createdResponse.status).toBe(201);
    expect(createdResponse.body).toMatchObject({
      type: 'direct',
      title: null,
      abilities: { rename: false, delete: false },
    });
    const existingResponse = await create('cleo', { type: 'direct', participants: [ben._id] });
    expect(existingResponse.status).toBe(200);
    expect((existingResponse.body as Conversation)._id).toBe((createdResponse.body as Conversation)._id);
  });

  it('creates one direct conversation when both users start it concurrently', async () => {
    const { admin, cleo } = people;
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        at % 2 === 0
          ? create('admin', { type: 'direct', participants: [cleo._id] })
          : create('cleo', { type: 'direct', participants: [admin._id] }),
      ),
    );
    expect(new Set(responses.map(({ body }) => (body as Conversation)._id)).size).toBe(1);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
  });

  it('rejects requests without a token', async () => {
    expect((await service.call('POST', '/chat/conversations', { body: {} })).status).toBe(401);
  });
});

describe('GET /chat/conversations', () => {
  it('lists the user’s own conversations by latest activity, with last message and unread count', async () => {
    const { stranger, ben } = people;
    const quiet = await createGroup(service, [stranger, ben], 'quiet');
    const busy = await createGroup(service, [stranger, ben], 'busy');
    await createGroup(service, [ben], 'not-mine');
    await send(service, ben, quiet._id, 'first');
    await send(service, ben, busy._id, 'one');
    await send(service, ben, busy._id, 'two');
    const { status, body } = await call('stranger', 'GET', '/chat/conversations');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      total: 2,
      page: 1,
      totalPages: 1,
      data: [
        { _id: busy._id, unreadCount: 2, lastSeq: 2, lastMessage: { content: 'two', sender: { firstName: 'Ben' } } },
        { _id: quiet._id, unreadCount: 1, lastMessage: { content: 'first', seq: 1 } },
      ],
    });
    await send(service, stranger, quiet._id, 'up');
    const pagedResponse = await call('stranger', 'GET', '/chat/conversations?limit=1&page=2');
    expect(pagedResponse.body).toMatchObject({ total: 2, page: 2, totalPages: 2, data: [{ _id: busy._id }] });
  });

  it('includes six participants per conversation by default, or as many as requested, and the total count', async () => {
    const { cleo, ben, member, manager } = people;
    const others = Array.from({ length: 5 }, () => buildUser());
    service.addToDirectory(...others);
    const group = await createGroup(service, [cleo, ben, member, manager, ...others], 'crowded');
    const direct = await createDirect(service, cleo, manager);
    const listByQuery = async (query: string) => {
      const { body } = await call('cleo', 'GET', `/chat/conversations?limit=100${query}`);
      return (id: string) => (body as { data: Conversation[] }).data.find(({ _id }) => _id === id) as Conversation;
    };
    const [allParticipants, twoParticipants, defaultQuery, invalidQuery] = await Promise.all(
      ['&people=all', '&people=2', '', '&people=none'].map(listByQuery),
    );
    expect(twoParticipants?.(group._id)).toEqual({
      ...allParticipants?.(group._id),
      participants: allParticipants?.(group._id).participants.slice(0, 2),
      participantCount: 9,
    });
    expect(allParticipants?.(group._id).participants).toHaveLength(9);
    expect(defaultQuery?.(group._id)).toMatchObject({ participants: { length: 6 }, participantCount: 9 });
    expect(invalidQuery?.(group._id)).toEqual(defaultQuery?.(group._id));
    const onePerConversation = await listByQuery('&people=1');
    expect(participantIds(onePerConversation(group._id))).toEqual([cleo._id]);
    expect(participantIds(onePerConversation(direct._id)).sort()).toEqual([cleo._id, manager._id].sort());
    expect(await get('cleo', group._id)).toMatchObject({ participants: { length: 9 }, participantCount: 9 });
  });

  it('rejects a page beyond the limit, and requests without a token', async () => {
    expect((await call('stranger', 'GET', '/chat/conversations?limit=100&page=101')).status).toBe(400);
    expect((await service.call('GET', '/chat/conversations')).status).toBe(401);
  });
});

describe('GET /chat/conversations/:id', () => {
  it('shows a conversation to participants only, and not to administrators', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    expect((await get('ben', _id)).abilities).toEqual({
      leave: true,
      mentionEveryone: true,
      addPeople: false,
      manageGroups: false,
      requireGroups: false,
      rename: false,
      post: true,
      archive: false,
      manageParticipants: false,
      delete: false,
      deleteMessages: false,
    });
    expect((await call('stranger', 'GET', `/chat/conversations/${_id}`)).status).toBe(404);
    expect((await call('admin', 'GET', `/chat/conversations/${_id}`)).status).toBe(404);
  });

  it('responds with 404 for an unknown or malformed id, and with 401 without a token', async () => {
    expect((await call('admin', 'GET', `/chat/conversations/${UNKNOWN}`)).status).toBe(404);
    expect((await call('admin', 'GET', '/chat/conversations/nonsense')).status).toBe(404);
    expect((await service.call('GET', `/chat/conversations/${UNKNOWN}`)).status).toBe(401);
  });
});

describe('PATCH /chat/conversations/:id', () => {
  const rename = (as: keyof People, id: string, title: unknown) =>
    call(as, 'PATCH', `/chat/conversations/${id}`, { title });

  it('lets the creator rename a group, and publishes the change', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const { status, body } = await rename('member', _id, ' New name ');
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: 'New name', version: 2 });
    const event = await service.waitForEvent(conversationUpdated, (data) => data.conversationId === _id);
    expect(event.data).toMatchObject({ title: 'New name', changed: ['title'], addedIds: [], removedIds: [] });
  });

  it('lets an administrator rename a group by id without showing its messages', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    await send(service, people.member, _id, 'private');
    const { status, body } = await rename('admin', _id, 'Renamed');
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: 'Renamed', lastMessage: null, unreadCount: 0 });
  });

  it('denies other participants with the specified message, and responds with 404 to everyone else', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const rejectedResponse = await rename('ben', _id, 'Mine');
    expect(rejectedResponse.status).toBe(403);
    expect(rejectedResponse.body).toMatchObject({ message: MANAGE_DENIED });
    expect((await rename('stranger', _id, 'Mine')).status).toBe(404);
    expect((await rename('admin', UNKNOWN, 'Mine')).status).toBe(404);
    expect((await rename('admin', 'nonsense', 'Mine')).status).toBe(404);
    expect((await service.call('PATCH', `/chat/conversations/${_id}`, { body: {} })).status).toBe(401);
  });

  it.each([{}, { title: '' }, { title: '  ' }, { title: 7 }])('rejects %j', async (body) => {
    const { _id } = await createGroup(service, [people.member]);
    const response = await call('member', 'PATCH', `/chat/conversations/${_id}`, body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ message: ['Conversation name cannot be empty'] });
  });

  it('rejects a name for a direct conversation, and hides those of others from administrators', async () => {
    const { _id } = await createDirect(service, people.member, people.ben);
    expect((await rename('member', _id, 'Us')).status).toBe(409);
    expect((await rename('admin', _id, 'Them')).status).toBe(404);
  });
});

describe('DELETE /chat/conversations/:id', () => {
  const remove = (as: keyof People, id: string) => call(as, 'DELETE', `/chat/conversations/${id}`);

  it('lets an administrator delete a group with all messages, and publishes the deletion', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    await send(service, people.member, _id);
    expect((await remove('admin', _id)).status).toBe(204);
    const event = await service.waitForEvent(conversationDeleted, (data) => data.conversationId === _id);
    expect(event.data.participantIds).toEqual([people.member._id, people.ben._id]);
    expect((await call('member', 'GET', `/chat/conversations/${_id}`)).status).toBe(404);
    expect((await call('member', 'GET', `/chat/messages?conversation=${_id}`)).status).toBe(404);
    expect((await call('member', 'POST', '/chat/messages', { conversation: _id, content: 'late' })).status).toBe(404);
    expect((await remove('admin', _id)).status).toBe(404);
  });

  it('denies participants who are not administrators, and responds with 404 to everyone else', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const rejectedResponse = await remove('member', _id);
    expect(rejectedResponse.status).toBe(403);
    expect(rejectedResponse.body).toMatchObject({ message: MANAGE_DENIED });
    expect((await remove('stranger', _id)).status).toBe(404);
    expect((await remove('admin', 'nonsense')).status).toBe(404);
    expect((await service.call('DELETE', `/chat/conversations/${_id}`)).status).toBe(401);
  });

  it('does not delete direct conversations', async () => {
    const ownConversation = await createDirect(service, people.admin, people.ben);
    const othersConversation = await createDirect(service, people.member, people.ben);
    expect((await remove('admin', ownConversation._id)).status).toBe(403);
    expect((await remove('admin', othersConversation._id)).status).toBe(404);
  });
});

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

describe('a request with a body', () => {
  it('is rejected if it is malformed JSON, has a different media type, or exceeds 1 MB', async () => {
    const post = (body: string, type = 'application/json') =>
      service.call('POST', '/chat/conversations', { as: people.member, body, headers: { 'content-type': type } });
    expect((await post('{"type":')).status).toBe(400);
    expect((await post('type=group', 'application/x-www-form-urlencoded')).status).toBe(415);
    expect((await post(JSON.stringify({ type: 'group', title: 'x'.repeat(1_100_000) }))).status).toBe(413);
  });

  it('publishes nothing if it was rejected', async () => {
    const countBefore = service.countPublished(messageSent);
    const { _id } = await createGroup(service, [people.member]);
    await call('stranger', 'POST', '/chat/messages', { conversation: _id, content: 'in' });
    await send(service, people.member, _id);
    await service.waitForEvent(messageSent, (data) => data.conversationId === _id);
    expect(service.countPublished(messageSent)).toBe(countBefore + 1);
  });
});

it('POST /chat/conversations creates one channel for a retry with the same key, and another for a different key', async () => {
  const body = { type: 'group', title: 'retried', participants: [people.ben._id] };
  const createChannel = async (key: string) => {
    const response = await service.call('POST', '/chat/conversations', {
      as: people.member,
      headers: { 'idempotency-key': key },
      body,
    });
    expect(response.status).toBe(201);
    return response.body as Conversation;
  };
  const firstChannel = await createChannel('channel-1');
  const retriedChannel = await createChannel('channel-1');
  const secondChannel = await createChannel('channel-2');
  expect(retriedChannel._id).toBe(firstChannel._id);
  expect(secondChannel._id).not.toBe(firstChannel._id);
  const isFirstConversation = ({ conversationId }: { conversationId: string }) => conversationId === firstChannel._id;
  await service.waitForEvent(conversationCreated, isFirstConversation);
  expect(service.countPublished(conversationCreated, isFirstConversation)).toBe(1);
});
