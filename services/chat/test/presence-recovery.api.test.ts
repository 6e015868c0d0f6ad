import { createLogger } from '@atrium/service-kit/observability/logger';
import { testRedis } from '@atrium/test-kit/backing-servers';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openRedis } from '../src/sockets/redis.ts';
import { startChat } from './factories.ts';
import { startSecondPod } from './pods.ts';
import { closeSockets, connectChat, connectLive } from './sockets.ts';

/** Long enough for a single heartbeat per test. */
const PRESENCE_TIMEOUT_SECONDS = '240';

const closers: (() => unknown)[] = [];
let chat: Awaited<ReturnType<typeof startChat>>;
let proxy: Awaited<ReturnType<typeof createFaultyProxy>>;

beforeAll(async () => {
  proxy = await createFaultyProxy((await testRedis()).url);
  closers.push(proxy.close);
  chat = await startChat({ REDIS_URL: proxy.url, PRESENCE_TIMEOUT_SECONDS });
  closers.push(() => chat.service.close());
});
afterAll(async () => {
  closeSockets();
  for (const close of closers.reverse()) await close();
});

it('presence includes users of other pods again after Redis has restarted empty', async () => {
  const { service, people } = chat;
  const pod = await startSecondPod(service, people);
  closers.push(pod.close);
  const prefix = service.env.REDIS_PREFIX ?? '';
  const directRedis = openRedis((await testRedis()).url, prefix, createLogger('chat', 'silent'));
  closers.push(directRedis.close);
  await connectChat(service, people.member);
  const ben = await connectChat(pod, people.ben);
  const isOnline = async () => {
    const ack = await ben.emits('presence:subscribe', { users: [people.member._id] });
    return ack.ok && ack.data.online.includes(people.member._id);
  };
  expect(await isOnline()).toBe(true);

  proxy.cut();
  await waitFor(async () => !(await isOnline()), { description: 'the pods to be disconnected' });
  const keys = await directRedis.commands.keys(`${prefix}:presence:*`);
  expect(keys.length).toBeGreaterThan(1);
  await directRedis.commands.del(...keys);
  // Queries only on `resync`, like a browser.
  const results: boolean[] = [];
  const { socket } = await connectLive(pod, people.ben);
  const recordResult = (result: boolean) => results.push(result);
  // A query in flight when the sockets close is rejected.
  socket.on('resync', () => void isOnline().then(recordResult, () => undefined));
  proxy.restore();
  await waitFor(() => results.at(-1) === true, { description: 'presence to be restored' });
});
