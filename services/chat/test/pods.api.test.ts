import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { conversationUpdated } from '@atrium/proto-events/events/chat';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createGroup, type People, request, send, startChat } from './factories.ts';
import { startPodProcess, startSecondPod } from './pods.ts';
import { closeSockets, connect, connectChat, connectLive, createSocket } from './sockets.ts';

let service: TestService;
let people: People;

beforeAll(async () => {
  ({ service, people } = await startChat({ PRESENCE_TIMEOUT_SECONDS: '2' }));
});
afterEach(closeSockets);
afterAll(() => service.close());

const messagesAfter = (as: keyof People, conversation: string, seq: number) =>
  request<{ data: Message[] }>(service, people[as], [
    'GET',
    `/chat/messages?conversation=${conversation}&after=${seq}&limit=100`,
  ]);

describe('two pods', () => {
  let pod: Awaited<ReturnType<typeof startSecondPod>>;
  beforeAll(async () => {
    pod = await startSecondPod(service, people);
  });
  afterAll(() => pod.close());

  it('deliver each message to the sockets of the other once', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const [localSocket, remoteSocket] = await Promise.all([
      connectChat(service, people.member),
      connectChat(pod, people.ben),
    ]);
    await localSocket.succeeds('message:send', { conversation: _id, content: 'from here' });
    await remoteSocket.succeeds('message:send', { conversation: _id, content: 'from there' });
    await remoteSocket.receives('message:new', ({ message }) => message.content === 'from here');
    await localSocket.receives('message:new', ({ message }) => message.content === 'from there');
    await localSocket.succeeds('typing:start', { conversation: _id });
    await remoteSocket.receives('typing:start');
    await remoteSocket.succeeds('message:read', { conversation: _id });
    await localSocket.receives('message:read');
    expect([localSocket, remoteSocket].map(({ all }) => all('message:new').length)).toEqual([1, 1]);
  });

  it('apply changes of participants from the other: added users receive messages, removed users do not', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const [ben, cleo] = await Promise.all([connectChat(pod, people.ben), connectChat(pod, people.cleo)]);
    const path = `/chat/conversations/${_id}/participants`;
    await request(service, people.member, ['POST', path, { userId: people.cleo._id }]);
    await cleo.receives('conversation:new');
    await request(service, people.member, ['DELETE', `${path}/${people.ben._id}`]);
    await ben.receives('conversation:participant_removed');
    await service.waitForEvent(
      conversationUpdated,
      (data) => data.conversationId === _id && data.removedIds.includes(people.ben._id),
    );
    await send(service, people.member, _id, 'after');
    await cleo.receives('message:new', ({ message }) => message.content === 'after');
    expect(ben.all('message:new')).toEqual([]);
  });

  it('send live updates to the sockets of both pods', async () => {
    const subscribers = await Promise.all([connectLive(service, people.stranger), connectLive(pod, people.stranger)]);
    const { _id } = await createGroup(service, [people.stranger, people.ben]);
    for (let index = 0; index < 6; index += 1) await send(service, people.ben, _id);
    for (const { receives } of subscribers) {
      await receives(({ resource, id, version }) => resource === 'message' && id === _id && version === 6);
    }
  });

  it('close the sockets of a session that ends on both pods', async () => {
    const sessionId = newId();
    const sockets = await Promise.all(
      [service, pod].map((target) => createSocket(target, '/chat', people.cleo, { sessionId })),
    );
    await Promise.all(sockets.map(connect));
    await service.deliver(sessionRevoked, { userId: people.cleo._id, sessionId, reason: 'logout' });
    await waitFor(() => sockets.every(({ disconnected }) => disconnected), {
      description: 'the sockets on both pods to be closed',
    });
  });

  it('share presence, and send no update for a user who moves between them', async () => {
    const firstObserver = await connectChat(pod, people.ben);
    const secondObserver = await connectChat(pod, people.stranger);
    for (const socket of [firstObserver, secondObserver])
      await socket.succeeds('presence:subscribe', { users: [people.manager._id] });
    const firstClient = await connectChat(service, people.manager);
    for (const socket of [firstObserver, secondObserver])
      await socket.receives('user:online', ({ user }) => user === people.manager._id);
    const queryClient = await connectChat(pod, people.admin);
    expect(
      await queryClient.emits('presence:subscribe', { users: [people.manager._id, people.stranger._id, newId()] }),
    ).toEqual({
      ok: true,
      data: { online: expect.arrayContaining([people.manager._id, people.stranger._id]) },
    });
    const secondClient = await connectChat(pod, people.manager);
    expect(
      await secondClient.emits('presence:subscribe', { users: [people.manager._id, people.ben._id] }),
    ).toMatchObject({
      data: { online: expect.arrayContaining([people.manager._id, people.ben._id]) },
    });
    firstClient.socket.disconnect();
    secondClient.socket.disconnect();
    for (const socket of [firstObserver, secondObserver])
      await socket.receives('user:offline', ({ user }) => user === people.manager._id);
    expect(firstObserver.all('user:online').filter(({ user }) => user === people.manager._id)).toHaveLength(1);
    expect(firstObserver.all('user:offline').filter(({ user }) => user === people.manager._id)).toHaveLength(1);
  });
});

describe('a pod that stops', () => {
  it('closes connections so that clients reconnect automatically, and exits within 20 seconds', async () => {
    const pod = await startPodProcess(service, people);
    const ben = await connectChat(pod, people.ben, { reconnects: true });
    const reasons: string[] = [];
    ben.socket.on('disconnect', (reason) => reasons.push(reason));
    const startedAt = Date.now();
    expect(await pod.end('SIGTERM')).toBe(0);
    expect(Date.now() - startedAt).toBeLessThan(20_000);
    await waitFor(() => reasons.length > 0, { description: 'the socket to be closed' });
    expect(reasons).toEqual(['transport close']);
    expect(ben.socket.active).toBe(true);
  });

  it('loses no acknowledged message when killed, and its users go offline unless they moved to another pod', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben, people.cleo]);
    const pod = await startPodProcess(service, people);
    const [member, ben, cleo] = await Promise.all([
      connectChat(service, people.member),
      connectChat(pod, people.ben),
      connectChat(pod, people.cleo),
    ]);
    await member.succeeds('presence:subscribe', { users: [people.ben._id, people.cleo._id] });
    const acknowledgedSeqs: number[] = [];
    const sendLoop = (async () => {
      while (ben.socket.connected) {
        const response = await ben.emits('message:send', { conversation: _id, content: 'while it lasts' });
        if (response.ok) acknowledgedSeqs.push(response.data.seq);
      }
    })().catch(() => undefined);
    await waitFor(() => acknowledgedSeqs.length > 20, { description: 'some messages to be acknowledged' });
    await pod.end('SIGKILL');
    ben.socket.disconnect();
    cleo.socket.disconnect();
    await sendLoop;
    const reconnectedCleo = await connectChat(service, people.cleo);
    const { data } = await messagesAfter('cleo', _id, 0);
    const seqs = data.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(seqs).toEqual(expect.arrayContaining(acknowledgedSeqs.filter((seq) => seq <= 100)));
    await send(service, people.member, _id, 'after the crash');
    await reconnectedCleo.receives('message:new', ({ message }) => message.content === 'after the crash');
    await member.receives('user:offline', ({ user }) => user === people.ben._id);
    expect(member.all('user:offline').filter(({ user }) => user === people.cleo._id)).toEqual([]);
  });
});
