import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { sessionRevoked } from '@atrium/proto-events/events/auth';
import type { SharedConversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { JOIN_PREVIEW_SIZE, MAX_PRESENCE_SUBSCRIPTIONS } from '@atrium/proto-events/realtime';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Socket } from 'socket.io-client';
import { MAX_REJECTED } from '../src/sockets/handshake-limiter.ts';
import { createGroup, type People, request, send } from './factories.ts';
import { people, service } from './running-chat.ts';
import { connect, connectChat, createRawSocket, createSocket, emit, tryConnect } from './sockets.ts';

const connectAs = (as: keyof People) => connectChat(service, people[as]);
const call = (as: keyof People, method: string, path: string, body?: unknown) =>
  service.call(method, path, { as: people[as], body });

describe('connecting a socket', () => {
  it.each(['/chat', '/live'])('to %s requires a valid access token', async (namespace) => {
    const expiredSocket = await createSocket(service, namespace, people.member, { issuedAt: Date.now() - 3_600_000 });
    expect(await tryConnect(expiredSocket)).toBe('Authentication error');
    expect(await tryConnect(createRawSocket(service.url, namespace, {}))).toBe('Authentication error');
    expect(await tryConnect(createRawSocket(service.url, namespace, { auth: { token: 'x' } }))).toBe(
      'Authentication error',
    );
    expect(await tryConnect(await createSocket(service, namespace, people.inactive))).toBe('Authentication error');
    expect(await tryConnect(await createSocket(service, namespace, people.member))).toBe('connected');
  });

  it('to the root namespace is rejected', async () => {
    expect(await tryConnect(await createSocket(service, '/', people.admin))).toBe('Authentication error');
  });

  it.each(['/chat', '/'])('with forged tokens to %s closes the connection after ten rejections', async (namespace) => {
    const webSocket = new WebSocket(`${service.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
    let rejectionCount = 0;
    let attemptCount = 0;
    const retry = () => {
      attemptCount += 1;
      webSocket.send(`40${namespace === '/' ? '' : `${namespace},`}{"token":"forged ${attemptCount}"}`);
    };
    webSocket.addEventListener('open', retry);
    webSocket.addEventListener('message', ({ data }) => {
      if (!String(data).startsWith('44')) return;
      rejectionCount += 1;
      retry();
    });
    await once(webSocket, 'close');
    expect(rejectionCount).toBe(MAX_REJECTED);
  });

  it('works over WebSocket only', async () => {
    const pollingSocket = createRawSocket(service.url, '/chat', { transports: ['polling'], reconnection: false });
    expect(await tryConnect(pollingSocket)).toBe('xhr poll error');
  });
});

describe('a message', () => {
  it('reaches all participants without joining, and the sending socket by its acknowledgment', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const [sender, phone, ben, stranger] = await Promise.all([
      connectAs('member'),
      connectAs('member'),
      connectAs('ben'),
      connectAs('stranger'),
    ]);
    const clientMessageId = randomUUID();
    const response = await sender.emits('message:send', { conversationId: _id, content: 'Hello', clientMessageId });
    expect(response).toMatchObject({ ok: true, data: { seq: 1, content: 'Hello', clientMessageId, type: 'text' } });
    const retryResponse = await sender.emits('message:send', { conversation: _id, content: 'Hello', clientMessageId });
    expect(retryResponse).toEqual(response);
    const overHttp = await send(service, people.member, _id, 'by HTTP');
    for (const client of [phone, ben]) {
      // Broadcasts do not include what belongs to one user.
      const { abilities, saved: _saved, ...broadcast } = overHttp;
      expect(abilities).toEqual({ edit: true, delete: true });
      expect(await client.receives('message:new', ({ message }) => message.seq === 2)).toEqual({ message: broadcast });
      expect(client.all('message:new').map(({ message }) => message.seq)).toEqual([1, 2]);
    }
    await sender.receives('message:new', ({ message }) => message.seq === 2);
    expect(sender.all('message:new')).toHaveLength(1);
    expect(stranger.all('message:new')).toEqual([]);
  });

  it('contains the unread count of its sender, on their sockets only, if they have not read everything', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben, people.cleo]);
    const [sender, laptop, phone, ben] = await Promise.all([
      connectAs('member'),
      connectAs('member'),
      connectAs('member'),
      connectAs('ben'),
    ]);
    await send(service, people.ben, _id);
    await send(service, people.cleo, _id);
    await sender.emits('message:send', { conversation: _id, content: 'not read yet' });
    for (const client of [laptop, phone])
      expect(await client.receives('message:new', ({ message }) => message.seq === 3)).toMatchObject({
        unreadCount: 2,
      });
    await request(service, people.member, ['POST', `/chat/conversations/${_id}/read`, {}]);
    await send(service, people.member, _id, 'everything is read');
    for (const client of [sender, laptop, phone, ben]) {
      const broadcast = await client.receives('message:new', ({ message }) => message.seq === 4);
      expect(Object.keys(broadcast)).toEqual(['message']);
    }
    expect(ben.all('message:new').map(({ unreadCount }) => unreadCount)).toEqual(Array(4).fill(undefined));
    expect(phone.all('message:new').map(({ message }) => message.seq)).toEqual([1, 2, 3, 4]);
    expect(sender.all('message:new').map(({ message }) => message.seq)).toEqual([1, 2, 4]);
  });

  it('can be fetched by seq after a lost connection, once and in order', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const ben = await connectAs('ben');
    await send(service, people.member, _id, '1');
    const { message: lastMessage } = await ben.receives('message:new');
    ben.socket.io.engine.close();
    await waitFor(() => ben.socket.disconnected, { description: 'the connection to be lost' });
    for (let index = 2; index <= 11; index += 1) await send(service, people.member, _id, String(index));
    await connect(ben.socket);
    const { data } = await request<{ data: Message[] }>(service, people.ben, [
      'GET',
      `/chat/messages?conversation=${_id}&after=${lastMessage.seq}&limit=100`,
    ]);
    expect(data.map(({ content }) => content)).toEqual(['2', '3', '4', '5', '6', '7', '8', '9', '10', '11']);
    await send(service, people.member, _id, '12');
    await ben.receives('message:new', ({ message }) => message.content === '12');
  });

  it('arrives once, even if many are sent concurrently', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const ben = await connectAs('ben');
    await Promise.all(Array.from({ length: 100 }, () => send(service, people.member, _id)));
    await waitFor(() => ben.all('message:new').length === 100, { description: 'all messages to be received' });
    expect(new Set(ben.all('message:new').map(({ message }) => message.seq)).size).toBe(100);
    expect(ben.all('message:new').every(({ message }) => message.attachments.length === 0)).toBe(true);
  });

  it('is broadcast when edited and deleted', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const ben = await connectAs('ben');
    const sentMessage = await send(service, people.member, _id, 'teh');
    await call('member', 'PATCH', `/chat/messages/${sentMessage._id}`, { content: 'the' });
    expect(await ben.receives('message:updated')).toMatchObject({
      message: { _id: sentMessage._id, content: 'the', seq: 1 },
    });
    await call('member', 'DELETE', `/chat/messages/${sentMessage._id}`);
    expect(await ben.receives('message:deleted')).toEqual({
      conversation: _id,
      message: sentMessage._id,
      seq: 1,
      revision: 2,
    });
  });
});

describe('socket events', () => {
  it('are acknowledged, with an error message if they are rejected', async () => {
    const group = await createGroup(service, [people.member]);
    const { socket, emits } = await connectAs('stranger');
    const rejection = (code: string, message?: string) => ({
      ok: false,
      error: { code, message: message ?? expect.any(String) },
    });
    const content = 'x';
    expect(await emits('message:send', { conversation: group._id, content })).toEqual(
      rejection('not_found', 'Conversation not found'),
    );
    expect(await emits('message:send', { conversation: group._id, content: ' ' })).toEqual(
      rejection('validation_failed', 'Message cannot be empty'),
    );
    expect(await emits('message:send', { content })).toEqual(
      rejection('validation_failed', 'A conversation is required'),
    );
    for (const event of ['message:read', 'typing:start', 'typing:stop', 'conversation:join', 'conversation:leave']) {
      expect(await emit(socket, event, { conversationId: group._id })).toEqual(rejection('not_found'));
      expect(await emit(socket, event, { conversationId: 'nonsense' })).toEqual(rejection('validation_failed'));
    }
    for (const payload of [[], ['text'], [null], [7], [['list']], [{ conversation: {} }]]) {
      expect(await emit(socket, 'message:send', ...payload)).toEqual(rejection('validation_failed'));
    }
    const deepPayload: unknown = JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`);
    expect(await emit(socket, 'message:send', { conversation: group._id, content, deepPayload })).toEqual(
      rejection('validation_failed', 'The request must have at most 64 levels of objects and lists'),
    );
    for (const event of ['nonsense', 'constructor', 'hasOwnProperty', '__proto__']) {
      expect(await emit(socket, event, {})).toEqual(rejection('not_found', 'There is no such event'));
    }
    expect(await emits('user:presence', { status: 'away' })).toEqual({ ok: true, data: null });
  });

  it('include conversation:join, which returns the conversation with its first participants and their count', async () => {
    const others = Array.from({ length: 10 }, () => buildUser());
    service.addToDirectory(...others);
    const { _id } = await createGroup(service, [people.member, people.ben, ...others]);
    await send(service, people.member, _id);
    const { emits } = await connectAs('ben');
    const response = await emits('conversation:join', { conversation: _id });
    expect(response).toMatchObject({
      ok: true,
      data: {
        _id,
        unreadCount: 1,
        lastMessage: { seq: 1 },
        participants: { length: JOIN_PREVIEW_SIZE },
        participantCount: 12,
      },
    });
    expect(await emits('conversation:leave', { conversation: _id })).toEqual({ ok: true, data: null });
  });

  it('include conversation:create, which creates a conversation as over HTTP', async () => {
    const { emits } = await connectAs('ben');
    const createdResponse = await emits('conversation:create', { type: 'direct', participants: [people.cleo._id] });
    expect(createdResponse).toMatchObject({ ok: true, data: { type: 'direct', lastSeq: 0 } });
    expect(await emits('conversation:create', { type: 'direct', participants: [people.cleo._id] })).toEqual(
      createdResponse,
    );
    expect(await emits('conversation:create', { type: 'group', title: '' })).toEqual({
      ok: false,
      error: { code: 'validation_failed', message: 'Channel name is required' },
    });
  });

  it('are rejected beyond the rate limit of the user, without affecting others', async () => {
    const { socket } = await connectAs('cleo');
    const responses = await Promise.all(
      Array.from({ length: 200 }, () => emit(socket, 'user:presence', { status: 'online' })),
    );
    expect(responses.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(60);
    expect(responses.at(-1)).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
    const ben = await connectAs('ben');
    expect(await ben.emits('user:presence', { status: 'online' })).toEqual({ ok: true, data: null });
  });
});

describe('reading messages', () => {
  it('moves the read position on all devices, and sends it to all participants, and the state to the reader', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    for (const content of ['1', '2', '3']) await send(service, people.member, _id, content);
    const [laptop, phone, member] = await Promise.all([connectAs('ben'), connectAs('ben'), connectAs('member')]);
    const { data } = await request<{ data: Message[] }>(service, people.ben, [
      'GET',
      `/chat/messages?conversation=${_id}`,
    ]);
    const secondMessageId = data[1]?._id ?? '';
    expect(await laptop.emits('message:read', { conversation: _id, message: secondMessageId })).toEqual({
      ok: true,
      data: { updatedCount: 2, seq: 2 },
    });
    for (const client of [laptop, phone, member]) {
      expect(await client.receives('message:read')).toEqual({ conversation: _id, user: people.ben._id, seq: 2 });
    }
    await laptop.emits('message:read', { conversation: _id, seq: 1 });
    expect(await laptop.emits('message:read', { conversation: _id })).toEqual({
      ok: true,
      data: { updatedCount: 1, seq: 3 },
    });
    await phone.receives('message:read', ({ seq }) => seq === 3);
    expect(phone.all('message:read').map(({ seq }) => seq)).toEqual([2, 3]);
    for (const client of [laptop, phone]) {
      expect(client.all('conversation:state')).toEqual([
        { conversation: _id, lastSeq: 3, lastReadSeq: 2, unreadCount: 1, readRevision: 0 },
        { conversation: _id, lastSeq: 3, lastReadSeq: 3, unreadCount: 0, readRevision: 0 },
      ]);
    }
    expect(member.all('conversation:state')).toEqual([]);
    const otherGroup = await createGroup(service, [people.ben]);
    expect(
      await laptop.emits('message:read', { conversation: otherGroup._id, message: secondMessageId }),
    ).toMatchObject({
      ok: false,
    });
  });
});

describe('a large conversation', () => {
  it('is broadcast with six participants and their count, and without personal fields', async () => {
    const others = Array.from({ length: 20 }, () => buildUser());
    service.addToDirectory(...others);
    const ben = await connectAs('ben');
    const group = await createGroup(service, [people.member, people.ben, ...others], 'crowded');
    const isThisConversation = ({ conversation }: { conversation: SharedConversation }) =>
      conversation._id === group._id;
    const { conversation } = await ben.receives('conversation:new', isThisConversation);
    expect(conversation).toMatchObject({ participantCount: 22, unreadCount: 0, abilities: { leave: true } });
    expect(conversation.participants).toHaveLength(6);
    await call('member', 'PATCH', `/chat/conversations/${group._id}`, { title: 'still-crowded' });
    const renamedEvent = await ben.receives('conversation:updated', isThisConversation);
    expect(renamedEvent.conversation).toMatchObject({ title: 'still-crowded', participantCount: 22 });
    expect(renamedEvent.conversation.participants).toHaveLength(6);
    for (const field of ['abilities', 'unreadCount', 'lastReadSeq'])
      expect(renamedEvent.conversation).not.toHaveProperty(field);
    expect(renamedEvent.personal).toBeUndefined();
  });
});

describe('typing', () => {
  it('is relayed to the other participants at a limited rate, and ends with the connection', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const [member, secondDevice, ben, stranger] = await Promise.all([
      connectAs('member'),
      connectAs('member'),
      connectAs('ben'),
      connectAs('stranger'),
    ]);
    for (let index = 0; index < 5; index += 1) await member.emits('typing:start', { conversationId: _id });
    const { _id: user, firstName } = people.member;
    expect(await ben.receives('typing:start')).toEqual({ conversation: _id, user, firstName });
    await member.emits('typing:stop', { conversationId: _id });
    await ben.receives('typing:stop');
    await member.emits('typing:start', { conversationId: _id });
    member.socket.disconnect();
    await waitFor(() => ben.all('typing:stop').length === 2, { description: 'typing to end' });
    expect(ben.all('typing:start')).toHaveLength(2);
    expect([...secondDevice.all('typing:start'), ...stranger.all('typing:start')]).toEqual([]);
  });
});

describe('a conversation', () => {
  it('is broadcast to its participants when created, changed, and deleted', async () => {
    const [member, ben, cleo, admin] = await Promise.all([
      connectAs('member'),
      connectAs('ben'),
      connectAs('cleo'),
      connectAs('admin'),
    ]);
    const group = await createGroup(service, [people.member, people.ben], 'lifecycle');
    const isThisConversation = ({ conversation }: { conversation: SharedConversation }) =>
      conversation._id === group._id;
    const path = `/chat/conversations/${group._id}`;
    expect((await member.receives('conversation:new', isThisConversation)).conversation.abilities.rename).toBe(true);
    expect((await ben.receives('conversation:new', isThisConversation)).conversation.abilities.rename).toBe(false);
    await send(service, people.member, group._id, 'first');
    await ben.receives('message:new', ({ message }) => message.conversation === group._id);

    await call('member', 'PATCH', path, { title: 'renamed' });
    const renamedEvent = await ben.receives('conversation:updated', isThisConversation);
    expect(renamedEvent.conversation).toMatchObject({ title: 'renamed', lastSeq: 1 });

    await call('member', 'POST', `${path}/participants`, { userId: people.cleo._id });
    expect((await cleo.receives('conversation:new', isThisConversation)).conversation).toMatchObject({
      unreadCount: 0,
      lastSeq: 1,
    });
    expect(await ben.receives('conversation:participant_added')).toMatchObject({
      conversation: group._id,
      addedUserId: people.cleo._id,
      user: { firstName: 'Cleo' },
    });
    await send(service, people.member, group._id, 'second');
    await cleo.receives('message:new', ({ message }) => message.content === 'second');
    expect(cleo.all('conversation:participant_added')).toEqual([]);

    await call('member', 'DELETE', `${path}/participants/${people.ben._id}`);
    for (const client of [ben, cleo, member]) {
      expect(await client.receives('conversation:participant_removed')).toMatchObject({
        conversation: group._id,
        removedUserId: people.ben._id,
        user: { firstName: 'Ben' },
      });
    }
    await send(service, people.member, group._id, 'third');
    await cleo.receives('message:new', ({ message }) => message.content === 'third');
    expect(ben.all('message:new').filter(({ message }) => message.content === 'third')).toEqual([]);

    await call('admin', 'DELETE', path);
    expect(await cleo.receives('conversation:deleted')).toEqual({ conversation: group._id });
    expect(ben.all('conversation:deleted')).toEqual([]);
    expect(admin.all('conversation:new').filter(isThisConversation)).toEqual([]);
  });
});

const connectSubscribed = async (userName: keyof typeof people, ...userIds: string[]) => {
  const client = await connectChat(service, people[userName]);
  return { ...client, response: await client.emits('presence:subscribe', { users: userIds }) };
};

describe('presence', () => {
  it('is online with a socket, and survives a reload', async () => {
    const member = await connectSubscribed('member', people.manager._id);
    const first = await connectAs('manager');
    await member.receives('user:online', ({ user }) => user === people.manager._id);
    const { response } = await connectSubscribed('ben', people.member._id, people.manager._id, people.ben._id);
    expect(response).toMatchObject({
      data: { online: expect.arrayContaining([people.member._id, people.manager._id, people.ben._id]) },
    });
    first.socket.disconnect();
    const second = await connectAs('manager');
    second.socket.disconnect();
    const { lastSeen } = await member.receives('user:offline', ({ user }) => user === people.manager._id);
    expect(Math.abs(Date.now() - Date.parse(lastSeen))).toBeLessThan(60_000);
    expect(member.all('user:online').filter(({ user }) => user === people.manager._id)).toHaveLength(1);
  });

  const countPresenceEvents = ({ all }: Pick<Awaited<ReturnType<typeof connectChat>>, 'all'>, user: string) =>
    [...all('user:online'), ...all('user:offline')].filter((event) => event.user === user).length;

  it('is sent only to sockets that subscribed to the user', async () => {
    const unsubscribedClient = await connectAs('cleo');
    const subscribedClient = await connectSubscribed('ben', people.manager._id, people.manager._id, newId());
    const otherClient = await connectSubscribed('member', people.ben._id);
    expect(subscribedClient.response).toEqual({ ok: true, data: { online: [] } });
    expect(otherClient.response).toEqual({ ok: true, data: { online: [people.ben._id] } });
    const manager = await connectAs('manager');
    await subscribedClient.receives('user:online', ({ user }) => user === people.manager._id);
    manager.socket.disconnect();
    await subscribedClient.receives('user:offline', ({ user }) => user === people.manager._id);
    expect(
      [subscribedClient, unsubscribedClient].map((client) => countPresenceEvents(client, people.manager._id)),
    ).toEqual([2, 0]);
    expect(otherClient.all('user:online')).toEqual([]);
  });

  it('is sent for the latest subscription only', async () => {
    const ben = await connectSubscribed('ben', people.manager._id);
    expect(await ben.emits('presence:subscribe', { users: [people.stranger._id] })).toMatchObject({ ok: true });
    const manager = await connectAs('manager');
    await connectAs('stranger');
    await ben.receives('user:online', ({ user }) => user === people.stranger._id);
    expect(countPresenceEvents(ben, people.manager._id)).toBe(0);
    expect(await ben.emits('presence:subscribe', { users: [people.manager._id, people.ben._id] })).toEqual({
      ok: true,
      data: { online: expect.arrayContaining([people.manager._id, people.ben._id]) },
    });
    expect(await ben.emits('presence:subscribe', { users: [] })).toEqual({ ok: true, data: { online: [] } });
    manager.socket.disconnect();
    const memberClient = await connectSubscribed('member', people.manager._id);
    await memberClient.receives('user:offline', ({ user }) => user === people.manager._id);
    expect(countPresenceEvents(ben, people.manager._id)).toBe(0);
  });

  it('rejects subscriptions to too many users or invalid ids', async () => {
    const ben = await connectAs('ben');
    for (const users of [Array.from({ length: MAX_PRESENCE_SUBSCRIPTIONS + 1 }, newId), ['nobody'], [null]]) {
      expect(await emit(ben.socket, 'presence:subscribe', { users })).toMatchObject({
        ok: false,
        error: { code: 'validation_failed' },
      });
    }
  });

  it('is not sent to sockets that subscribed to other users, even if there are many', async () => {
    const others = await Promise.all(Array.from({ length: 10 }, () => connectSubscribed('ben', people.cleo._id)));
    const subscribedClient = await connectSubscribed('member', people.manager._id);
    await connectAs('manager');
    await subscribedClient.receives('user:online', ({ user }) => user === people.manager._id);
    expect(others.map((client) => countPresenceEvents(client, people.manager._id))).toEqual(others.map(() => 0));
  });
});

describe('the end of a session', () => {
  const WAIT_FOR_CLOSE = { description: 'the socket to be closed' };
  const trackServerClose = (socket: Socket) => {
    let reason: string | undefined;
    socket.on('disconnect', (disconnectReason) => {
      reason = disconnectReason;
    });
    return () => reason === 'io server disconnect';
  };

  it('closes its sockets in both namespaces, and no others', async () => {
    const sessionId = newId();
    const endedSockets = await Promise.all(
      ['/chat', '/live'].map((namespace) => createSocket(service, namespace, people.member, { sessionId })),
    );
    const other = await createSocket(service, '/chat', people.member);
    await Promise.all([...endedSockets, other].map(connect));
    const closeChecks = endedSockets.map(trackServerClose);
    await service.deliver(sessionRevoked, { userId: people.member._id, sessionId, reason: 'logout' }, 2);
    await waitFor(() => closeChecks.every((isClosed) => isClosed()), WAIT_FOR_CLOSE);
    expect(other.connected).toBe(true);
    expect(await tryConnect(await createSocket(service, '/chat', people.member, { sessionId }))).toBe(
      'Authentication error',
    );
  });

  it('by deactivation, deletion, or a new password closes the user’s sockets, except newer ones', async () => {
    const { ben } = people;
    const socket = await createSocket(service, '/chat', ben, { issuedAt: Date.now() - 60_000 });
    const newerSocket = await createSocket(service, '/chat', ben);
    await Promise.all([socket, newerSocket].map(connect));
    const isClosed = trackServerClose(socket);
    service.addToDirectory({ ...ben, sessionsValidAfter: Date.now() - 30_000, version: 2 });
    await waitFor(isClosed, WAIT_FOR_CLOSE);
    expect(newerSocket.connected).toBe(true);
    const isNewerClosed = trackServerClose(newerSocket);
    service.addToDirectory({ ...ben, status: 'inactive', version: 3 });
    await waitFor(isNewerClosed, WAIT_FOR_CLOSE);
    service.addToDirectory({ ...ben, version: 4 });
  });
});

describe('a slow client', () => {
  it('is disconnected before its queue exhausts memory, without delaying others', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben, people.cleo]);
    const [slowClient, fastClient] = await Promise.all([connectAs('ben'), connectSubscribed('cleo', people.ben._id)]);
    const { transport } = slowClient.socket.io.engine as unknown as {
      transport: { ws: { pause(): void; resume(): void } };
    };
    // The client may notice first, and then drops its transport.
    const { ws } = transport;
    ws.pause();
    const body = { conversation: _id, content: '語'.repeat(10_000) };
    const isDisconnected = () => fastClient.all('user:offline').some(({ user }) => user === people.ben._id);
    while (!isDisconnected()) {
      await Promise.all(Array.from({ length: 20 }, () => call('member', 'POST', '/chat/messages', body)));
    }
    ws.resume();
    await waitFor(() => slowClient.socket.disconnected, { description: 'the slow client to be disconnected' });
    expect(fastClient.socket.connected).toBe(true);
    expect(fastClient.all('message:new').length).toBeGreaterThan(100);
  });
});
