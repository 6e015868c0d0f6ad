import { messageSent } from '@atrium/proto-events/events/chat';
import { testNats, testRedis } from '@atrium/test-kit/backing-servers';
import { createFaultyProxy, type FaultyProxy } from '@atrium/test-kit/faulty-proxy';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createGroup, type People, request, send, startChat } from './factories.ts';
import { startPodProcess, startSecondPod } from './pods.ts';
import { closeSockets, connectChat, connectLive } from './sockets.ts';

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
  it('HTTP and the sockets of each pod work, and broadcasts between pods recover automatically', async () => {
    const pod = await startSecondPod(service, people);
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const other = await createGroup(service, [people.member, people.ben]);
    const [member, ben, far] = await Promise.all([
      connectChat(service, people.member),
      connectChat(service, people.ben),
      connectChat(pod, people.ben),
    ]);
    redis.cut();
    await becomes('degraded');
    expect(await health()).toMatchObject({ status: 'degraded', parts: { redis: 'unavailable', postgres: 'ok' } });

    await send(service, people.member, _id, 'by HTTP');
    await member.emits('message:send', { conversation: _id, content: 'by socket' });
    await ben.receives('message:new', ({ message }) => message.content === 'by socket');
    await request(service, people.member, [
      'DELETE',
      `/chat/conversations/${other._id}/participants/${people.ben._id}`,
    ]);
    await ben.receives('conversation:participant_removed', ({ conversation }) => conversation === other._id);
    const late = await createGroup(service, [people.member, people.ben], 'during-outage');
    await ben.receives('conversation:new', ({ conversation }) => conversation._id === late._id);
    expect(far.all('message:new')).toEqual([]);

    redis.restore();
    await becomes('ok');
    // The connections recover one at a time.
    await waitFor(
      async () => {
        await send(service, people.member, late._id, 'after');
        return far.all('message:new').some(({ message }) => message.conversation === late._id);
      },
      { what: 'the other pod to receive broadcasts again', intervalMs: 100 },
    );
    await send(service, people.member, other._id, 'without Ben');
    const last = await send(service, people.member, late._id, 'the last');
    await far.receives('message:new', ({ message }) => message.seq === last.seq && message.conversation === late._id);
    expect(far.all('message:new').filter(({ message }) => message.conversation === other._id)).toEqual([]);
    await pod.close();
  });

  it('sends resync to browsers on all pods once Redis is back', async () => {
    const pod = await startSecondPod(service, people);
    const [here, far] = await Promise.all([connectLive(service, people.member), connectLive(pod, people.ben)]);
    const resynced = new Set<string>();
    here.socket.on('resync', () => resynced.add('here'));
    far.socket.on('resync', () => resynced.add('far'));
    redis.cut();
    await becomes('degraded');
    redis.restore();
    await waitFor(() => resynced.size === 2, { what: 'both to receive resync' });
    await pod.close();
  });

  it('a pod starts and stops', async () => {
    redis.cut();
    const pod = await startSecondPod(service, people);
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const ben = await connectChat(pod, people.ben);
    const member = await connectChat(pod, people.member);
    await member.emits('message:send', { conversation: _id, content: 'hello' });
    await ben.receives('message:new');
    await pod.close();
    redis.restore();
    await becomes('ok');
  });

  it('a process survives the outage and the recovery, and stops cleanly', async () => {
    const pod = await startPodProcess(service, people);
    const status = async () => ((await (await fetch(`${pod.url}/readyz`)).json()) as { status: string }).status;
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const [ben, member] = await Promise.all([connectChat(pod, people.ben), connectChat(pod, people.member)]);
    redis.cut();
    await waitFor(async () => (await status()) === 'degraded', { what: 'the process to be degraded' });
    const late = await connectChat(pod, people.cleo);
    expect(await late.emits('presence:subscribe', { users: [people.ben._id] })).toMatchObject({
      data: { online: [people.ben._id] },
    });
    await ben.emits('presence:subscribe', { users: [people.cleo._id] });
    await member.emits('typing:start', { conversation: _id });
    await member.emits('message:send', { conversation: _id, content: 'still here' });
    await ben.receives('message:new');
    late.socket.disconnect();
    await ben.receives('user:offline', ({ user }) => user === people.cleo._id);
    redis.restore();
    await waitFor(async () => (await status()) === 'ok', { what: 'the process to recover' });
    expect(await pod.end('SIGTERM')).toBe(0);
  });
});

describe('without NATS', () => {
  it('messages are sent and received, and their events are published afterwards', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const ben = await connectChat(service, people.ben);
    nats.cut();
    await becomes('degraded');
    const sent = await send(service, people.member, _id, 'during the outage');
    await ben.receives('message:new', ({ message }) => message._id === sent._id);
    nats.restore();
    await service.published(messageSent, (data) => data.messageId === sent._id);
    await becomes('ok');
  });
});
