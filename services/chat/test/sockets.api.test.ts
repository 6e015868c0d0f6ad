import { once } from 'node:events';
import { JOIN_PREVIEW_SIZE } from '@atrium/proto-events/realtime';
import { buildUser } from '@atrium/test-kit/build-user';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { MAX_REJECTED } from '../src/sockets/handshake-limiter.ts';
import { createGroup, type People, send } from './factories.ts';
import { call, people, service } from './running-chat.ts';
import { connectChat, createRawSocket, createSocket, emit, tryConnect } from './sockets.ts';

const connectAs = (as: keyof People) => connectChat(service, people[as]);

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
    const { socket } = await connectAs('stranger');
    const responses = await Promise.all(
      Array.from({ length: 200 }, () => emit(socket, 'user:presence', { status: 'online' })),
    );
    expect(responses.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(60);
    expect(responses.at(-1)).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
    const ben = await connectAs('ben');
    expect(await ben.emits('user:presence', { status: 'online' })).toEqual({ ok: true, data: null });
  });
});

describe('a slow client', () => {
  it('is disconnected before its queue exhausts memory, without delaying others', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben, people.cleo]);
    const [slowClient, fastClient] = await Promise.all([connectAs('ben'), connectAs('cleo')]);
    const { transport } = slowClient.socket.io.engine as unknown as {
      transport: { ws: { pause(): void; resume(): void } };
    };
    // The client may notice first; it then drops its transport.
    const { ws } = transport;
    ws.pause();
    const body = { conversation: _id, content: '語'.repeat(10_000) };
    await fastClient.succeeds('presence:subscribe', { users: [people.ben._id] });
    const isDisconnected = () => fastClient.all('user:offline').some(({ user }) => user === people.ben._id);
    let sentCount = 0;
    while (!isDisconnected()) {
      const responses = Array.from({ length: 20 }, () => call('member', 'POST', '/chat/messages', body));
      sentCount += (await Promise.all(responses)).filter(({ status }) => status === 201).length;
      // On a slow machine, the other client could be as far behind.
      const isUpToDate = () => fastClient.all('message:new').length >= sentCount;
      await waitFor(isUpToDate, { description: 'the other client to receive what was sent' });
    }
    ws.resume();
    await waitFor(() => slowClient.socket.disconnected, { description: 'the slow client to be disconnected' });
    expect(fastClient.socket.connected).toBe(true);
    expect(fastClient.all('message:new').length).toBeGreaterThan(100);
  });
});
