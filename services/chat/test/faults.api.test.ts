import { messageSent } from '@atrium/proto-events/events/chat';
import { testNats, testRedis } from '@atrium/test-kit/backing-servers';
import { createFaultyProxy, type FaultyProxy } from '@atrium/test-kit/faulty-proxy';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { aGroup, ask, type People, send, startChat } from './factories.ts';
import { startPodProcess, startSecondPod } from './pods.ts';
import { aChatter, aWatcher, closeSockets } from './sockets.ts';

let service: TestService;
let people: People;
let redis: FaultyProxy;
let nats: FaultyProxy;

beforeAll(async () => {
  redis = await createFaultyProxy((await testRedis()).url);
  nats = await createFaultyProxy((await testNats()).url);
  ({ service, people } = await startChat({ REDIS_URL: redis.url, NATS_URL: nats.url, PRESENCE_TIMEOUT_SECONDS: '1' }));
});
afterEach(closeSockets);
afterAll(async () => {
  await service.close();
  await Promise.all([redis.close(), nats.close()]);
});

const health = async () => (await (await fetch(`${service.url}/readyz`)).json()) as { status: string; parts: object };
const becomes = (status: string) =>
  waitFor(async () => (await health()).status === status, { what: `the service to be ${status}` });

describe('without Redis', () => {
  it('HTTP works, this pod’s sockets hear each other, and the rest comes back by itself', async () => {
    const pod = await startSecondPod(service, people);
    const { _id } = await aGroup(service, [people.member, people.ben]);
    const other = await aGroup(service, [people.member, people.ben]);
    const [member, ben, far] = await Promise.all([
      aChatter(service, people.member),
      aChatter(service, people.ben),
      aChatter(pod, people.ben),
    ]);
    redis.cut();
    await becomes('degraded');
    expect(await health()).toMatchObject({ status: 'degraded', parts: { redis: 'unavailable', postgres: 'ok' } });

    await send(service, people.member, _id, 'by HTTP');
    await member.says('message:send', { conversation: _id, content: 'by socket' });
    await ben.hears('message:new', ({ message }) => message.content === 'by socket');
    await ask(service, people.member, ['DELETE', `/chat/conversations/${other._id}/participants/${people.ben._id}`]);
    await ben.hears('conversation:participant_removed', ({ conversation }) => conversation === other._id);
    const late = await aGroup(service, [people.member, people.ben], 'made-meanwhile');
    await ben.hears('conversation:new', ({ conversation }) => conversation._id === late._id);
    expect(far.all('message:new')).toEqual([]);

    redis.mend();
    await becomes('ok');
    // Its connections come back one after the other: asked until the other pod is heard again.
    await waitFor(
      async () => {
        await send(service, people.member, late._id, 'after');
        return far.all('message:new').some(({ message }) => message.conversation === late._id);
      },
      { what: 'the other pod to be heard again', everyMs: 100 },
    );
    await send(service, people.member, other._id, 'without Ben');
    const last = await send(service, people.member, late._id, 'the last');
    await far.hears('message:new', ({ message }) => message.seq === last.seq && message.conversation === late._id);
    expect(far.all('message:new').filter(({ message }) => message.conversation === other._id)).toEqual([]);
    await pod.close();
  });

  it('has browsers ask again for what pods could not tell each other, on each of them', async () => {
    const pod = await startSecondPod(service, people);
    const [here, far] = await Promise.all([aWatcher(service, people.member), aWatcher(pod, people.ben)]);
    const asked = new Set<string>();
    here.socket.on('resync', () => asked.add('here'));
    far.socket.on('resync', () => asked.add('far'));
    redis.cut();
    await becomes('degraded');
    redis.mend();
    await waitFor(() => asked.size === 2, { what: 'both to be asked to catch up' });
    await pod.close();
  });

  it('the service starts, and stops', async () => {
    redis.cut();
    const pod = await startSecondPod(service, people);
    const { _id } = await aGroup(service, [people.member, people.ben]);
    const ben = await aChatter(pod, people.ben);
    const member = await aChatter(pod, people.member);
    await member.says('message:send', { conversation: _id, content: 'hello' });
    await ben.hears('message:new');
    await pod.close();
    redis.mend();
    await becomes('ok');
  });

  it('a process lives on, through its going and its coming back, and ends as ever', async () => {
    const pod = await startPodProcess(service, people);
    const status = async () => ((await (await fetch(`${pod.url}/readyz`)).json()) as { status: string }).status;
    const { _id } = await aGroup(service, [people.member, people.ben]);
    const [ben, member] = await Promise.all([aChatter(pod, people.ben), aChatter(pod, people.member)]);
    redis.cut();
    await waitFor(async () => (await status()) === 'degraded', { what: 'the process to notice' });
    const late = await aChatter(pod, people.cleo);
    expect(await late.says('presence:subscribe', { users: [people.ben._id] })).toMatchObject({
      data: { online: [people.ben._id] },
    });
    await ben.says('presence:subscribe', { users: [people.cleo._id] });
    await member.says('typing:start', { conversation: _id });
    await member.says('message:send', { conversation: _id, content: 'still here' });
    await ben.hears('message:new');
    late.socket.disconnect();
    await ben.hears('user:offline', ({ user }) => user === people.cleo._id);
    redis.mend();
    await waitFor(async () => (await status()) === 'ok', { what: 'the process to recover' });
    expect(await pod.end('SIGTERM')).toBe(0);
  });
});

describe('without NATS', () => {
  it('messages are sent and heard, and their events follow when it returns', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben]);
    const ben = await aChatter(service, people.ben);
    nats.cut();
    await becomes('degraded');
    const sent = await send(service, people.member, _id, 'meanwhile');
    await ben.hears('message:new', ({ message }) => message._id === sent._id);
    nats.mend();
    await service.published(messageSent, (data) => data.messageId === sent._id);
    await becomes('ok');
  });
});
