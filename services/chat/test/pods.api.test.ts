import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { conversationUpdated } from '@atrium/proto-events/events/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { aGroup, ask, type People, send, startChat } from './factories.ts';
import { startPodProcess, startSecondPod } from './pods.ts';
import { aChatter, aSocket, aWatcher, closeSockets, connected } from './sockets.ts';

let service: TestService;
let people: People;

beforeAll(async () => {
  ({ service, people } = await startChat({ PRESENCE_TIMEOUT_SECONDS: '2' }));
});
afterEach(closeSockets);
afterAll(() => service.close());

const messagesAfter = (as: keyof People, conversation: string, seq: number) =>
  ask<{ data: Message[] }>(service, people[as], [
    'GET',
    `/chat/messages?conversation=${conversation}&after=${seq}&limit=100`,
  ]);

describe('two pods', () => {
  let pod: Awaited<ReturnType<typeof startSecondPod>>;
  beforeAll(async () => {
    pod = await startSecondPod(service, people);
  });
  afterAll(() => pod.close());

  it('deliver to one another, each message once', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben]);
    const [here, there] = await Promise.all([aChatter(service, people.member), aChatter(pod, people.ben)]);
    await here.says('message:send', { conversation: _id, content: 'from here' });
    await there.says('message:send', { conversation: _id, content: 'from there' });
    await there.hears('message:new', ({ message }) => message.content === 'from here');
    await here.hears('message:new', ({ message }) => message.content === 'from there');
    await here.says('typing:start', { conversation: _id });
    await there.hears('typing:start');
    await there.says('message:read', { conversation: _id });
    await here.hears('message:read');
    expect([here, there].map(({ all }) => all('message:new').length)).toEqual([1, 1]);
  });

  it('follow one another’s changes of people: who is added hears, who is removed hears no more', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben]);
    const [ben, cleo] = await Promise.all([aChatter(pod, people.ben), aChatter(pod, people.cleo)]);
    const path = `/chat/conversations/${_id}/participants`;
    await ask(service, people.member, ['POST', path, { userId: people.cleo._id }]);
    await cleo.hears('conversation:new');
    await ask(service, people.member, ['DELETE', `${path}/${people.ben._id}`]);
    await ben.hears('conversation:participant_removed');
    await service.published(
      conversationUpdated,
      (data) => data.conversationId === _id && data.removedIds.includes(people.ben._id),
    );
    await send(service, people.member, _id, 'after');
    await cleo.hears('message:new', ({ message }) => message.content === 'after');
    expect(ben.all('message:new')).toEqual([]);
  });

  it('tell the sockets of both what changed, whichever of them heard of it', async () => {
    const watchers = await Promise.all([aWatcher(service, people.stranger), aWatcher(pod, people.stranger)]);
    const { _id } = await aGroup(service, [people.stranger, people.ben]);
    for (let at = 0; at < 6; at += 1) await send(service, people.ben, _id);
    for (const { sees } of watchers) {
      await sees(({ resource, id, version }) => resource === 'message' && id === _id && version === 6);
    }
  });

  it('both close the sockets of a session that ends', async () => {
    const sessionId = newId();
    const sockets = await Promise.all(
      [service, pod].map((place) => aSocket(place, '/chat', people.cleo, { sessionId })),
    );
    await Promise.all(sockets.map(connected));
    await service.deliver(sessionRevoked, { userId: people.cleo._id, sessionId, reason: 'logout' });
    await waitFor(() => sockets.every(({ disconnected }) => disconnected), {
      what: 'the sockets on both pods to be closed',
    });
  });

  it('know who is online on either, and hear nothing of somebody who moves over', async () => {
    const watching = await aChatter(pod, people.ben);
    const showing = await aChatter(pod, people.stranger);
    for (const one of [watching, showing]) await one.says('presence:subscribe', { users: [people.manager._id] });
    const first = await aChatter(service, people.manager);
    for (const one of [watching, showing]) await one.hears('user:online', ({ user }) => user === people.manager._id);
    const asking = await aChatter(pod, people.admin);
    expect(
      await asking.says('presence:subscribe', { users: [people.manager._id, people.stranger._id, newId()] }),
    ).toEqual({
      ok: true,
      data: { online: expect.arrayContaining([people.manager._id, people.stranger._id]) },
    });
    const second = await aChatter(pod, people.manager);
    expect(await second.says('presence:subscribe', { users: [people.manager._id, people.ben._id] })).toMatchObject({
      data: { online: expect.arrayContaining([people.manager._id, people.ben._id]) },
    });
    first.socket.disconnect();
    second.socket.disconnect();
    for (const one of [watching, showing]) await one.hears('user:offline', ({ user }) => user === people.manager._id);
    expect(watching.all('user:online').filter(({ user }) => user === people.manager._id)).toHaveLength(1);
    expect(watching.all('user:offline').filter(({ user }) => user === people.manager._id)).toHaveLength(1);
  });
});

describe('a pod that stops', () => {
  it('lets its sockets go so that they come back by themselves, and exits well before it would be killed', async () => {
    const pod = await startPodProcess(service, people);
    const ben = await aChatter(pod, people.ben, { reconnects: true });
    const reasons: string[] = [];
    ben.socket.on('disconnect', (reason) => reasons.push(reason));
    const began = Date.now();
    expect(await pod.end('SIGTERM')).toBe(0);
    expect(Date.now() - began).toBeLessThan(20_000);
    await waitFor(() => reasons.length > 0, { what: 'the socket to be let go' });
    expect(reasons).toEqual(['transport close']);
    expect(ben.socket.active).toBe(true);
  });

  it('by being killed loses nothing that was acknowledged, and its people are offline unless they moved over', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben, people.cleo]);
    const pod = await startPodProcess(service, people);
    const [member, ben, cleo] = await Promise.all([
      aChatter(service, people.member),
      aChatter(pod, people.ben),
      aChatter(pod, people.cleo),
    ]);
    await member.says('presence:subscribe', { users: [people.ben._id, people.cleo._id] });
    const acknowledged: number[] = [];
    const sending = (async () => {
      while (ben.socket.connected) {
        const answer = await ben.says('message:send', { conversation: _id, content: 'while it lasts' });
        if (answer.ok) acknowledged.push(answer.data.seq);
      }
    })().catch(() => undefined);
    await waitFor(() => acknowledged.length > 20, { what: 'some messages to be acknowledged' });
    await pod.end('SIGKILL');
    ben.socket.disconnect();
    cleo.socket.disconnect();
    await sending;
    const moved = await aChatter(service, people.cleo);
    const { data } = await messagesAfter('cleo', _id, 0);
    const seqs = data.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
    expect(seqs).toEqual(expect.arrayContaining(acknowledged.filter((seq) => seq <= 100)));
    await send(service, people.member, _id, 'life goes on');
    await moved.hears('message:new', ({ message }) => message.content === 'life goes on');
    await member.hears('user:offline', ({ user }) => user === people.ben._id);
    expect(member.all('user:offline').filter(({ user }) => user === people.cleo._id)).toEqual([]);
  });
});
