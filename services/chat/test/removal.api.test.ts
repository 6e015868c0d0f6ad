import { testRedis } from '@atrium/test-kit/backing-servers';
import { createFaultyProxy, type FaultyProxy } from '@atrium/test-kit/faulty-proxy';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { aGroup, ask, type People, send, startChat } from './factories.ts';
import { startSecondPod } from './pods.ts';
import { aChatter, closeSockets } from './sockets.ts';

let service: TestService;
let people: People;
let pod: Awaited<ReturnType<typeof startSecondPod>>;
let slow: FaultyProxy;
let redis: FaultyProxy;

/** The second pod reads what was true 50 ms ago, and may lose Redis. */
beforeAll(async () => {
  redis = await createFaultyProxy((await testRedis()).url);
  ({ service, people } = await startChat());
  slow = await createFaultyProxy(service.env.DATABASE_URL ?? '', { delayMs: 50 });
  pod = await startSecondPod(service, people, { DATABASE_URL: slow.url, REDIS_URL: redis.url });
});
afterEach(closeSockets);
afterAll(async () => {
  await pod.close();
  await service.close();
  await slow.close();
  await redis.close();
});

async function hearsRedis(): Promise<boolean> {
  const { parts } = (await (await fetch(`${pod.url}/readyz`)).json()) as { parts: Record<string, string> };
  return parts.redis === 'ok';
}

type Chatter = Awaited<ReturnType<typeof aChatter>>;

const removeBen = (conversation: string) =>
  ask(service, people.member, ['DELETE', `/chat/conversations/${conversation}/participants/${people.ben._id}`]);

/** What a person hears who is there for good has passed all others of the same pod, too. */
async function sayAfterwards(conversation: string, witness: Chatter, by: Chatter): Promise<void> {
  await by.says('message:send', { conversation, content: 'confidential' });
  await witness.hears('message:new', ({ message }) => message.content === 'confidential');
}

const heard = (chatters: Chatter[]) =>
  chatters.flatMap(({ all }) => all('message:new')).filter(({ message }) => message.content === 'confidential');

describe('who is removed hears nothing that is said after the answer', () => {
  it('on a pod that is slow to look', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben, people.cleo]);
    const [ben, cleo, member] = await Promise.all([
      aChatter(pod, people.ben),
      aChatter(pod, people.cleo),
      aChatter(pod, people.member),
    ]);
    await removeBen(_id);
    await sayAfterwards(_id, cleo, member);
    expect(heard([ben])).toEqual([]);
  });

  it('by connecting or by opening the conversation at that moment', async () => {
    const [cleo, member] = await Promise.all([aChatter(pod, people.cleo), aChatter(pod, people.member)]);
    for (let round = 0; round < 5; round += 1) {
      const { _id } = await aGroup(service, [people.member, people.ben, people.cleo], `round-${round}`);
      const there = await aChatter(pod, people.ben);
      const opening = [0, 1, 2].map(() => there.says('conversation:join', { conversation: _id }));
      const connecting = [0, 1, 2].map(() => aChatter(pod, people.ben));
      await removeBen(_id);
      await sayAfterwards(_id, cleo, member);
      const [late] = await Promise.all([Promise.all(connecting), Promise.all(opening)]);
      expect(heard([there, ...late]).filter(({ message }) => message.conversation === _id)).toEqual([]);
      await sayAfterwards(_id, cleo, member);
      expect(heard([there, ...late]).filter(({ message }) => message.conversation === _id)).toEqual([]);
      for (const { socket } of [there, ...late]) socket.disconnect();
    }
  });

  it('on a pod that Redis does not reach', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben, people.cleo]);
    const [ben, cleo, member] = await Promise.all([
      aChatter(pod, people.ben),
      aChatter(pod, people.cleo),
      aChatter(pod, people.member),
    ]);
    redis.cut();
    await removeBen(_id);
    await sayAfterwards(_id, cleo, member);
    expect(heard([ben])).toEqual([]);
    redis.mend();
  });

  it('on a pod that hears nothing more of Redis, though nobody has told it so', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben, people.cleo]);
    const [ben, cleo, member] = await Promise.all([
      aChatter(pod, people.ben),
      aChatter(pod, people.cleo),
      aChatter(pod, people.member),
    ]);
    await waitFor(hearsRedis, { what: 'the pod to hear of Redis' });
    redis.stall();
    await removeBen(_id);
    await sayAfterwards(_id, cleo, member);
    expect(heard([ben])).toEqual([]);
    redis.mend();
  });

  it('once the pod that removed them reaches the others again', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben, people.cleo]);
    const [ben, cleo] = await Promise.all([aChatter(service, people.ben), aChatter(service, people.cleo)]);
    redis.cut();
    const removing = await fetch(`${pod.url}/api/chat/conversations/${_id}/participants/${people.ben._id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${await service.tokens.sign(people.member)}` },
    });
    expect(removing.status).toBe(204);
    redis.mend();
    await waitFor(
      async () => {
        const sent = await send(service, people.member, _id, 'still?');
        await cleo.hears('message:new', ({ message }) => message._id === sent._id);
        return !ben.all('message:new').some(({ message }) => message._id === sent._id);
      },
      { what: 'the other pod to be told', everyMs: 100 },
    );
    await sayAfterwards(_id, cleo, await aChatter(service, people.member));
    expect(heard([ben])).toEqual([]);
  });
});
