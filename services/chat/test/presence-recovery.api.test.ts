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

const closing: (() => unknown)[] = [];
let chat: Awaited<ReturnType<typeof startChat>>;
let proxy: Awaited<ReturnType<typeof createFaultyProxy>>;

beforeAll(async () => {
  proxy = await createFaultyProxy((await testRedis()).url);
  closing.push(proxy.close);
  chat = await startChat({ REDIS_URL: proxy.url, PRESENCE_TIMEOUT_SECONDS });
  closing.push(() => chat.service.close());
});
afterAll(async () => {
  closeSockets();
  for (const close of closing.reverse()) await close();
});

it('presence includes users of other pods again after Redis restarted empty', async () => {
  const { service, people } = chat;
  const pod = await startSecondPod(service, people);
  closing.push(pod.close);
  const prefix = service.env.REDIS_PREFIX ?? '';
  const direct = openRedis((await testRedis()).url, prefix, createLogger('chat', 'silent'));
  closing.push(direct.close);
  await connectChat(service, people.member);
  const ben = await connectChat(pod, people.ben);
  const isOnline = async () => {
    const ack = await ben.emits('presence:subscribe', { users: [people.member._id] });
    return ack.ok && ack.data.online.includes(people.member._id);
  };
  expect(await isOnline()).toBe(true);

  proxy.cut();
  await waitFor(async () => !(await isOnline()), { what: 'the pods to be disconnected' });
  const keys = await direct.commands.keys(`${prefix}:presence:*`);
  expect(keys.length).toBeGreaterThan(1);
  await direct.commands.del(...keys);
  // Like a browser, queries only on `resync`.
  const results: boolean[] = [];
  const { socket } = await connectLive(pod, people.ben);
  const record = (result: boolean) => results.push(result);
  // A query in flight when the sockets close is rejected.
  socket.on('resync', () => void isOnline().then(record, () => undefined));
  proxy.restore();
  await waitFor(() => results.at(-1) === true, { what: 'presence to be restored' });
});
