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

const readHealth = async () =>
  (await (await fetch(`${service.url}/readyz`)).json()) as { status: string; parts: object };
const waitForStatus = (status: string) =>
  waitFor(async () => (await readHealth()).status === status, { description: `the service to be ${status}` });

describe('during a Redis outage', () => {
  it('HTTP and the sockets of each pod work, and broadcasts between pods recover after it', async () => {
    const pod = await startSecondPod(service, people);
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const secondGroup = await createGroup(service, [people.member, people.ben]);
    const [member, ben, remoteBen] = await Promise.all([
      connectChat(service, people.member),
      connectChat(service, people.ben),
      connectChat(pod, people.ben),
    ]);
    redis.cut();
    await waitForStatus('degraded');
    expect(await readHealth()).toMatchObject({ status: 'degraded', parts: { redis: 'unavailable', postgres: 'ok' } });

    await send(service, people.member, _id, 'by HTTP');
    await member.succeeds('message:send', { conversation: _id, content: 'by socket' });
    await ben.receives('message:new', ({ message }) => message.content === 'by socket');
    await request(service, people.member, [
      'DELETE',
      `/chat/conversations/${secondGroup._id}/participants/${people.ben._id}`,
    ]);
    await ben.receives('conversation:participant_removed', ({ conversation }) => conversation === secondGroup._id);
    const lateGroup = await createGroup(service, [people.member, people.ben], 'during-outage');
    await ben.receives('conversation:new', ({ conversation }) => conversation._id === lateGroup._id);
    expect(remoteBen.all('message:new')).toEqual([]);

    redis.restore();
    await waitForStatus('ok');
    // The connections recover one at a time.
    await waitFor(
      async () => {
        await send(service, people.member, lateGroup._id, 'after');
        return remoteBen.all('message:new').some(({ message }) => message.conversation === lateGroup._id);
      },
      { description: 'the other pod to receive broadcasts again', intervalMs: 100 },
    );
    await send(service, people.member, secondGroup._id, 'without Ben');
    const lastMessage = await send(service, people.member, lateGroup._id, 'the last');
    await remoteBen.receives(
      'message:new',
      ({ message }) => message.seq === lastMessage.seq && message.conversation === lateGroup._id,
    );
    expect(remoteBen.all('message:new').filter(({ message }) => message.conversation === secondGroup._id)).toEqual([]);
    await pod.close();
  });

  it('browsers on all pods miss updates, so they receive resync after it', async () => {
    const pod = await startSecondPod(service, people);
    const [localMember, remoteBen] = await Promise.all([
      connectLive(service, people.member),
      connectLive(pod, people.ben),
    ]);
    const resynced = new Set<string>();
    localMember.socket.on('resync', () => resynced.add('here'));
    remoteBen.socket.on('resync', () => resynced.add('far'));
    redis.cut();
    await waitForStatus('degraded');
    redis.restore();
    await waitFor(() => resynced.size === 2, { description: 'both to receive resync' });
    await pod.close();
  });

  it('a pod can start, serve sockets, and stop', async () => {
    redis.cut();
    const pod = await startSecondPod(service, people);
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const ben = await connectChat(pod, people.ben);
    const member = await connectChat(pod, people.member);
    await member.succeeds('message:send', { conversation: _id, content: 'hello' });
    await ben.receives('message:new');
    await pod.close();
    redis.restore();
    await waitForStatus('ok');
  });

  it('a process keeps running, recovers after it, and stops cleanly', async () => {
    const pod = await startPodProcess(service, people);
    const readStatus = async () => ((await (await fetch(`${pod.url}/readyz`)).json()) as { status: string }).status;
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const [ben, member] = await Promise.all([connectChat(pod, people.ben), connectChat(pod, people.member)]);
    redis.cut();
    await waitFor(async () => (await readStatus()) === 'degraded', { description: 'the process to be degraded' });
    const cleo = await connectChat(pod, people.cleo);
    expect(await cleo.emits('presence:subscribe', { users: [people.ben._id] })).toMatchObject({
      data: { online: [people.ben._id] },
    });
    await ben.succeeds('presence:subscribe', { users: [people.cleo._id] });
    await member.succeeds('typing:start', { conversation: _id });
    await member.succeeds('message:send', { conversation: _id, content: 'still here' });
    await ben.receives('message:new');
    cleo.socket.disconnect();
    await ben.receives('user:offline', ({ user }) => user === people.cleo._id);
    redis.restore();
    await waitFor(async () => (await readStatus()) === 'ok', { description: 'the process to recover' });
    expect(await pod.end('SIGTERM')).toBe(0);
  });
});

describe('during a NATS outage', () => {
  it('messages are sent and received, and their events are published after it', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const ben = await connectChat(service, people.ben);
    nats.cut();
    await waitForStatus('degraded');
    const sentMessage = await send(service, people.member, _id, 'during the outage');
    await ben.receives('message:new', ({ message }) => message._id === sentMessage._id);
    nats.restore();
    await service.waitForEvent(messageSent, (data) => data.messageId === sentMessage._id);
    await waitForStatus('ok');
  });
});
