import { testRedis } from '@atrium/test-kit/backing-servers';
import { createFaultyProxy, type FaultyProxy } from '@atrium/test-kit/faulty-proxy';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createGroup, type People, request, send, startChat } from './factories.ts';
import { startSecondPod } from './pods.ts';
import { closeSockets, connectChat } from './sockets.ts';

let service: TestService;
let people: People;
let pod: Awaited<ReturnType<typeof startSecondPod>>;
let slowDatabase: FaultyProxy;
let redis: FaultyProxy;

/** Starts a second pod with a slow database connection, and Redis behind a proxy. */
beforeAll(async () => {
  redis = await createFaultyProxy((await testRedis()).url);
  ({ service, people } = await startChat());
  slowDatabase = await createFaultyProxy(service.env.DATABASE_URL ?? '', { delayMs: 50 });
  pod = await startSecondPod(service, people, { DATABASE_URL: slowDatabase.url, REDIS_URL: redis.url });
});
afterEach(closeSockets);
afterAll(async () => {
  await pod.close();
  await service.close();
  await slowDatabase.close();
  await redis.close();
});

async function isRedisConnected(): Promise<boolean> {
  const { parts } = (await (await fetch(`${pod.url}/readyz`)).json()) as { parts: Record<string, string> };
  return parts.redis === 'ok';
}

type ChatSocket = Awaited<ReturnType<typeof connectChat>>;

const removeBen = (conversation: string) =>
  request(service, people.member, ['DELETE', `/chat/conversations/${conversation}/participants/${people.ben._id}`]);

/** Once the witness has received the message, all other sockets of the same pod have. */
async function sendConfidential(conversation: string, witness: ChatSocket, sender: ChatSocket): Promise<void> {
  await sender.succeeds('message:send', { conversation, content: 'confidential' });
  await witness.receives('message:new', ({ message }) => message.content === 'confidential');
}

const receivedConfidential = (sockets: ChatSocket[]) =>
  sockets.flatMap(({ all }) => all('message:new')).filter(({ message }) => message.content === 'confidential');

describe('a removed user receives nothing that is sent after the response', () => {
  it('on a pod with a slow database connection', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben, people.cleo]);
    const [ben, cleo, member] = await Promise.all([
      connectChat(pod, people.ben),
      connectChat(pod, people.cleo),
      connectChat(pod, people.member),
    ]);
    await removeBen(_id);
    await sendConfidential(_id, cleo, member);
    expect(receivedConfidential([ben])).toEqual([]);
  });

  it('on a socket that connects or opens the conversation during the removal', async () => {
    const [cleo, member] = await Promise.all([connectChat(pod, people.cleo), connectChat(pod, people.member)]);
    for (let round = 0; round < 5; round += 1) {
      const { _id } = await createGroup(service, [people.member, people.ben, people.cleo], `round-${round}`);
      const openSocket = await connectChat(pod, people.ben);
      const joins = [0, 1, 2].map(() => openSocket.emits('conversation:join', { conversation: _id }));
      const connections = [0, 1, 2].map(() => connectChat(pod, people.ben));
      await removeBen(_id);
      await sendConfidential(_id, cleo, member);
      const [lateSockets] = await Promise.all([Promise.all(connections), Promise.all(joins)]);
      expect(
        receivedConfidential([openSocket, ...lateSockets]).filter(({ message }) => message.conversation === _id),
      ).toEqual([]);
      await sendConfidential(_id, cleo, member);
      expect(
        receivedConfidential([openSocket, ...lateSockets]).filter(({ message }) => message.conversation === _id),
      ).toEqual([]);
      for (const { socket } of [openSocket, ...lateSockets]) socket.disconnect();
    }
  });

  it('on a pod that is disconnected from Redis', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben, people.cleo]);
    const [ben, cleo, member] = await Promise.all([
      connectChat(pod, people.ben),
      connectChat(pod, people.cleo),
      connectChat(pod, people.member),
    ]);
    redis.cut();
    await removeBen(_id);
    await sendConfidential(_id, cleo, member);
    expect(receivedConfidential([ben])).toEqual([]);
    redis.restore();
  });

  it('on a pod whose Redis connection has stalled', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben, people.cleo]);
    const [ben, cleo, member] = await Promise.all([
      connectChat(pod, people.ben),
      connectChat(pod, people.cleo),
      connectChat(pod, people.member),
    ]);
    await waitFor(isRedisConnected, { description: 'the pod to be connected to Redis' });
    redis.stall();
    await removeBen(_id);
    await sendConfidential(_id, cleo, member);
    expect(receivedConfidential([ben])).toEqual([]);
    redis.restore();
  });

  it('after the removing pod has reconnected to the others', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben, people.cleo]);
    const [ben, cleo] = await Promise.all([connectChat(service, people.ben), connectChat(service, people.cleo)]);
    redis.cut();
    const removalResponse = await fetch(`${pod.url}/api/chat/conversations/${_id}/participants/${people.ben._id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${await service.tokens.sign(people.member)}` },
    });
    expect(removalResponse.status).toBe(204);
    redis.restore();
    await waitFor(
      async () => {
        const sentMessage = await send(service, people.member, _id, 'still?');
        await cleo.receives('message:new', ({ message }) => message._id === sentMessage._id);
        return !ben.all('message:new').some(({ message }) => message._id === sentMessage._id);
      },
      { description: 'the other pod to process the removal', intervalMs: 100 },
    );
    await sendConfidential(_id, cleo, await connectChat(service, people.member));
    expect(receivedConfidential([ben])).toEqual([]);
  });
});
