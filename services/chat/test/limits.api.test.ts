import type { Message } from '@atrium/proto-events/http/chat-messages';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Socket } from 'socket.io-client';
import { aGroup, ask, type People, startChat } from './factories.ts';
import { startSecondPod } from './pods.ts';
import { aChatter, aSocket, closeSockets, connected, refusal, say } from './sockets.ts';

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

const FULL = 'Too many connections';
const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));

describe('the sockets of one person', () => {
  it('are twenty in each namespace over all pods, and whoever comes later is told', async () => {
    const place = (at: number) => (at % 2 === 0 ? service : pod);
    const open = (namespace: string, count: number) =>
      Promise.all(times(count, (at) => aSocket(place(at), namespace, people.cleo)));
    const sockets = await open('/chat', 100);
    const answers = await Promise.all(sockets.map(refusal));
    expect(answers.filter((answer) => answer !== FULL && answer !== 'connected')).toEqual([]);
    const inside = sockets.filter(({ connected: is }) => is);
    expect(inside.length).toBeLessThanOrEqual(20);
    expect(await Promise.all((await open('/live', 20)).map(refusal))).toEqual(Array(20).fill('connected'));
    expect(await refusal(await aSocket(pod, '/chat', people.ben))).toBe('connected');

    const [first] = inside;
    first?.disconnect();
    const next = await aSocket(pod, '/chat', people.cleo);
    await waitFor(async () => next.connected || (await refusal(next)) === 'connected', { what: 'a place to be free' });
  });

  it('of a pod that is gone count no more', async () => {
    const third = await startSecondPod(service, people);
    const gone = await Promise.all(times(20, () => aSocket(third, '/chat', people.stranger)));
    await Promise.all(gone.map(connected));
    expect(await refusal(await aSocket(service, '/chat', people.stranger))).toBe(FULL);
    await third.close();
    const back = await aSocket(service, '/chat', people.stranger);
    await waitFor(async () => back.connected || (await refusal(back)) === 'connected', { what: 'a place to be free' });
  });
});

describe('one person who sends two thousand messages a second', () => {
  it('is refused on all sockets together, then cut off, and nobody else is held up', async () => {
    const group = await aGroup(service, [people.member, people.ben]);
    const sockets = await Promise.all(times(20, () => aSocket(service, '/chat', people.member)));
    await Promise.all(sockets.map(connected));
    const reasons: string[] = [];
    const told = { accepted: 0, refused: 0 };
    const began = Date.now();
    const flood = (socket: Socket) => {
      socket.on('disconnect', (reason) => reasons.push(reason));
      const timer = setInterval(() => {
        for (const _ of times(5, Number)) {
          socket.emit('message:send', { conversation: group._id, content: 'x' }, ({ ok }: { ok: boolean }) => {
            told[ok ? 'accepted' : 'refused'] += 1;
          });
        }
      }, 50);
      socket.once('disconnect', () => clearInterval(timer));
    };
    sockets.forEach(flood);
    // Of what comes before that, each message that is accepted is stored.
    await waitFor(() => reasons.length === 20, { what: 'the sockets to be closed', timeoutMs: 100_000 });
    expect(reasons).toEqual(Array(20).fill('io server disconnect'));
    expect(told.refused).toBeGreaterThanOrEqual(100);
    const { total } = await ask<{ total: number; data: Message[] }>(service, people.ben, [
      'GET',
      `/chat/messages?conversation=${group._id}`,
    ]);
    const seconds = (Date.now() - began) / 1_000;
    expect(total).toBeLessThanOrEqual(120 + 20 * seconds);
    const ben = await aChatter(service, people.ben);
    expect(await ben.says('message:send', { conversation: group._id, content: 'y' })).toMatchObject({ ok: true });
  }, 120_000);

  it('is held to the same measure on /live', async () => {
    const socket = await aSocket(service, '/live', people.admin);
    await connected(socket);
    expect(await say(socket, 'nonsense', {})).toMatchObject({ ok: false, error: { code: 'not_found' } });
    let reason = '';
    socket.on('disconnect', (why) => {
      reason = why;
    });
    for (let at = 0; at < 400; at += 1) socket.emit(newId(), {});
    await waitFor(() => reason !== '', { what: 'the socket to be closed' });
    expect(reason).toBe('io server disconnect');
  });
});
