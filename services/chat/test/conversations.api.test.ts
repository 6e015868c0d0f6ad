import { conversationCreated, messageSent } from '@atrium/proto-events/events/chat';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { buildUser } from '@atrium/test-kit/build-user';
import { describe, expect, it } from '@jest/globals';
import { createDirect, createGroup, type People, request, send } from './factories.ts';
import { call, people, service } from './running-chat.ts';

const UNKNOWN = 'f'.repeat(24);
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
