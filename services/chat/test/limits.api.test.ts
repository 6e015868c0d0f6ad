import type { Message } from '@atrium/proto-events/http/chat/messages';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Socket } from 'socket.io-client';
import { createGroup, type People, request, startChat } from './factories.ts';
import { startSecondPod } from './pods.ts';
import { closeSockets, connect, connectChat, createSocket, emit, tryConnect } from './sockets.ts';

let service: TestService;
let people: People;
let pod: Awaited<ReturnType<typeof startSecondPod>>;

beforeAll(async () => {
  ({ service, people } = await startChat({ PRESENCE_TIMEOUT_SECONDS: '6' }));
  pod = await startSecondPod(service, people);
});
afterEach(closeSockets);
afterAll(async () => {
  await pod.close();
  await service.close();
});

const TOO_MANY_CONNECTIONS = 'Too many connections';
const times = <T>(count: number, create: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => create(index));

describe('the sockets of one user', () => {
  it('are limited to 20 per namespace and pod, and further sockets receive an error', async () => {
    const open = (namespace: string, count: number) =>
      Promise.all(times(count, () => createSocket(service, namespace, people.cleo)));
    const sockets = await open('/chat', 50);
    const results = await Promise.all(sockets.map(tryConnect));
    expect(results.filter((result) => result !== TOO_MANY_CONNECTIONS && result !== 'connected')).toEqual([]);
    const acceptedSockets = sockets.filter(({ connected }) => connected);
    expect(acceptedSockets.length).toBeLessThanOrEqual(20);
    expect(await Promise.all((await open('/live', 20)).map(tryConnect))).toEqual(Array(20).fill('connected'));
    for (const target of [service, pod])
      expect(await tryConnect(await createSocket(target, '/chat', people.ben))).toBe('connected');

    const [firstSocket] = acceptedSockets;
    firstSocket?.disconnect();
    const nextSocket = await createSocket(service, '/chat', people.cleo);
    await waitFor(async () => nextSocket.connected || (await tryConnect(nextSocket)) === 'connected', {
      description: 'a slot to be free',
    });
  });
});

describe('a user who floods sockets with events', () => {
  it('is rate limited over all sockets, then disconnected, and does not slow down others', async () => {
    const group = await createGroup(service, [people.member, people.ben]);
    const sockets = await Promise.all(times(20, () => createSocket(service, '/chat', people.member)));
    await Promise.all(sockets.map(connect));
    const reasons: string[] = [];
    const counts = { accepted: 0, rejected: 0 };
    const startedAt = Date.now();
    const flood = (socket: Socket) => {
      socket.on('disconnect', (reason) => reasons.push(reason));
      const timer = setInterval(() => {
        for (const _ of times(5, Number)) {
          socket.emit('message:send', { conversation: group._id, content: 'x' }, ({ ok }: { ok: boolean }) => {
            counts[ok ? 'accepted' : 'rejected'] += 1;
          });
        }
      }, 50);
      socket.once('disconnect', () => clearInterval(timer));
    };
    sockets.forEach(flood);
    // The flood takes a while, because each accepted message is stored.
    await waitFor(() => reasons.length === 20, { description: 'the sockets to be closed', timeoutMs: 100_000 });
    expect(reasons).toEqual(Array(20).fill('io server disconnect'));
    expect(counts.rejected).toBeGreaterThanOrEqual(100);
    const { total } = await request<{ total: number; data: Message[] }>(service, people.ben, [
      'GET',
      `/chat/messages?conversation=${group._id}`,
    ]);
    const seconds = (Date.now() - startedAt) / 1_000;
    expect(total).toBeLessThanOrEqual(120 + 20 * seconds);
    const ben = await connectChat(service, people.ben);
    expect(await ben.emits('message:send', { conversation: group._id, content: 'y' })).toMatchObject({ ok: true });
  });

  it('is disconnected from /live as well', async () => {
    const socket = await createSocket(service, '/live', people.admin);
    await connect(socket);
    expect(await emit(socket, 'nonsense', {})).toMatchObject({ ok: false, error: { code: 'not_found' } });
    let reason = '';
    socket.on('disconnect', (disconnectReason) => {
      reason = disconnectReason;
    });
    for (let index = 0; index < 400; index += 1) socket.emit(newId(), {});
    await waitFor(() => reason !== '', { description: 'the socket to be closed' });
    expect(reason).toBe('io server disconnect');
  });
});
