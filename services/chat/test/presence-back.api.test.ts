import { createLogger } from '@atrium/service-kit/observability/logger';
import { testRedis } from '@atrium/test-kit/backing-servers';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openRedis } from '../src/realtime/redis.ts';
import { startChat } from './factories.ts';
import { startSecondPod } from './pods.ts';
import { aChatter, aWatcher, closeSockets } from './sockets.ts';

/** So long that no sign of life falls into the test but the first. */
const PRESENCE_TIMEOUT_SECONDS = '240';

const closing: (() => unknown)[] = [];
let chat: Awaited<ReturnType<typeof startChat>>;
let line: Awaited<ReturnType<typeof createFaultyProxy>>;

beforeAll(async () => {
  line = await createFaultyProxy((await testRedis()).url);
  closing.push(line.close);
  chat = await startChat({ REDIS_URL: line.url, PRESENCE_TIMEOUT_SECONDS });
  closing.push(() => chat.service.close());
});
afterAll(async () => {
  closeSockets();
  for (const close of closing.reverse()) await close();
});

it('has browsers that ask again after Redis came back empty hear who is online on another pod', async () => {
  const { service, people } = chat;
  const pod = await startSecondPod(service, people);
  closing.push(pod.close);
  const prefix = service.env.REDIS_PREFIX ?? '';
  const direct = openRedis((await testRedis()).url, prefix, createLogger('chat', 'silent'));
  closing.push(direct.close);
  await aChatter(service, people.member);
  const ben = await aChatter(pod, people.ben);
  const ask = async () => {
    const answer = await ben.says('presence:subscribe', { users: [people.member._id] });
    return answer.ok && answer.data.online.includes(people.member._id);
  };
  expect(await ask()).toBe(true);

  line.cut();
  await waitFor(async () => !(await ask()), { what: 'the pods to be alone' });
  const keys = await direct.commands.keys(`${prefix}:presence:*`);
  expect(keys.length).toBeGreaterThan(1);
  await direct.commands.del(...keys);
  // As a browser does: it asks whenever it is told to, and at no other time.
  const answers: boolean[] = [];
  const { socket } = await aWatcher(pod, people.ben);
  const note = (isOnline: boolean) => answers.push(isOnline);
  // One that is on its way when the sockets close is rejected.
  socket.on('resync', () => void ask().then(note, () => undefined));
  line.mend();
  await waitFor(() => answers.at(-1) === true, { what: 'who is online to be known again' });
});
