import { testRedis } from '@atrium/test-kit/backing-servers';
import { createFaultyProxy, type FaultyProxy } from '@atrium/test-kit/faulty-proxy';
import type { ServiceProcess } from '@atrium/test-kit/start-service-process';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { aGroup, ask, type People, send, startChat } from './factories.ts';
import { type Later, noteMoments, whatCameLater } from './moments.ts';
import { startPodProcess } from './pods.ts';
import { aChatter, aWatcher, closeSockets, type Place } from './sockets.ts';

let service: TestService;
let people: People;
let pod: ServiceProcess;
let slow: FaultyProxy;
let redis: FaultyProxy;

/** Two processes: the second reads what was true 20 ms ago, and may lose Redis. */
beforeAll(async () => {
  redis = await createFaultyProxy((await testRedis()).url);
  ({ service, people } = await startChat({ MAX_SOCKET_EVENTS_PER_MINUTE: '1000000' }));
  await noteMoments(service);
  slow = await createFaultyProxy(service.env.DATABASE_URL ?? '', { delayMs: 20 });
  pod = await startPodProcess(service, people, { DATABASE_URL: slow.url, REDIS_URL: redis.url });
});
afterEach(() => {
  redis.mend();
  closeSockets();
});
afterAll(async () => {
  await pod?.end('SIGTERM');
  await service?.close();
  await slow?.close();
  await redis?.close();
});

type Ear = Awaited<ReturnType<typeof aChatter>>;
type Eye = Awaited<ReturnType<typeof aWatcher>>;

/** Somebody talks without a pause on one pod: says, corrects, takes back, reads. */
function talk(place: Place, as: Ear, { conversation, who }: { conversation: string; who: keyof People }) {
  let isOver = false;
  let said = 0;
  const call = async (method: string, path: string, body: unknown) => {
    const token = await place.tokens.sign(people[who]);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await fetch(`${place.url}/api/chat${path}`, { method, headers, body: JSON.stringify(body) });
  };
  const round = async () => {
    const sent = await as.says('message:send', { conversation, content: `${who} ${said}` });
    if (!sent.ok) throw new Error(sent.error.code);
    said += 1;
    if (said % 3 === 0) await call('PATCH', `/messages/${sent.data._id}`, { content: `${who} ${said} corrected` });
    if (said % 5 === 0) await call('DELETE', `/messages/${sent.data._id}`, {});
    if (said % 2 === 0) await as.says('message:read', { conversation });
  };
  const going = (async () => {
    while (!isOver) await round();
  })();
  return {
    said: () => said,
    async end() {
      isOver = true;
      await going;
    },
  };
}

/** What of all that was told is later than the removal. */
function tooLate(conversation: string, { seq, changes }: Later, ears: Ear[], eyes: Eye[]): string[] {
  const heard = ears.flatMap(({ all }) => [
    ...all('message:new').flatMap(({ message }) =>
      message.conversation === conversation && message.seq > seq ? [`message ${message.seq}`] : [],
    ),
    ...all('message:updated').flatMap(({ message }) => (changes.has(message.content) ? [message.content] : [])),
    ...all('message:deleted').map((gone) => `deleted ${gone.seq}`),
    ...all('message:read').map((read) => `read ${read.user} ${read.seq}`),
  ]);
  const seen = eyes.flatMap((eye) =>
    eye
      .seen()
      .filter((change) => change.resource === 'message' && change.action === 'created' && change.version > seq)
      .map((change) => `hint of message ${change.version}`),
  );
  return [...heard.filter((one) => one.startsWith('message ') || changes.has(one)), ...seen];
}

type Moment = { before?: () => void; after?: () => void };

/** Removes Ben from the midst of it all, while more of his sockets come in; answers what reached him that was later. */
async function removeInTheMidst(title: string, { before = () => undefined, after = () => undefined }: Moment = {}) {
  const { _id: conversation } = await aGroup(service, [people.member, people.ben, people.cleo], title);
  const places: Place[] = [service, pod];
  const ears = await Promise.all(places.map((place) => aChatter(place, people.ben)));
  const eyes = await Promise.all(places.map((place) => aWatcher(place, people.ben)));
  const { position } = await (eyes[0] as Eye).watch(['conversations']);
  const [here, there] = await Promise.all([aChatter(service, people.member), aChatter(pod, people.cleo)]);
  const talks = [talk(service, here, { conversation, who: 'member' }), talk(pod, there, { conversation, who: 'cleo' })];
  const allSay = (more: number) => {
    const since = talks.map(({ said }) => said());
    return waitFor(() => talks.every(({ said }, at) => said() >= (since[at] ?? 0) + more), { what: 'more to be said' });
  };
  await allSay(5);
  before();
  const coming = places.flatMap((place) => [aChatter(place, people.ben), aChatter(place, people.ben)]);
  const looking = places.map((place) => aWatcher(place, people.ben));
  const path = `/chat/conversations/${conversation}/participants/${people.ben._id}`;
  await ask(service, people.member, ['DELETE', path]);
  const late = await Promise.all(coming);
  const lateEyes = await Promise.all(looking);
  after();
  await allSay(5);
  await Promise.all(talks.map(({ end }) => end()));
  const last = await send(service, people.member, conversation, 'the end');
  for (const one of [here, there]) await one.hears('message:new', ({ message }) => message._id === last._id);
  const back = await Promise.all(places.map((place) => aWatcher(place, people.ben)));
  const resumed = await Promise.all(back.map(({ watch }) => watch(['conversations'], position)));
  const later = await whatCameLater(service, conversation, people.ben._id);
  for (const { socket } of [...ears, ...late, ...eyes, ...lateEyes, ...back, here, there]) socket.disconnect();
  return {
    later,
    reached: tooLate(conversation, later, [...ears, ...late], [...eyes, ...lateEyes, ...back]),
    resumed: resumed
      .flatMap(({ changes }) => changes ?? [])
      .filter(({ resource, id }) => resource === 'message' && id === conversation),
  };
}

describe('nothing that is committed later than a removal reaches who was removed', () => {
  it('on either process, with sockets coming in at that moment, nor is it resumed', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { later, reached, resumed } = await removeInTheMidst(`at-once-${round}`);
      // Else nothing was said in time.
      expect(later.seq).toBeGreaterThan(5);
      expect(later.changes.size).toBeGreaterThan(2);
      expect({ round, reached, resumed }).toEqual({ round, reached: [], resumed: [] });
    }
  });

  it('while Redis has fallen silent for one of them, and when it is back', async () => {
    const stalled = { before: () => redis.stall(), after: () => redis.mend() };
    const { reached, resumed } = await removeInTheMidst('silent-redis', stalled);
    expect({ reached, resumed }).toEqual({ reached: [], resumed: [] });
  });
});
