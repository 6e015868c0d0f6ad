import { testRedis } from '@atrium/test-kit/backing-servers';
import { createFaultyProxy, type FaultyProxy } from '@atrium/test-kit/faulty-proxy';
import type { ServiceProcess } from '@atrium/test-kit/start-service-process';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type LaterChanges, listLaterChanges, recordCommitOrder } from './commit-order.ts';
import { createGroup, type People, request, send, startChat } from './factories.ts';
import { startPodProcess } from './pods.ts';
import { closeSockets, connectChat, connectLive, type Pod } from './sockets.ts';

let service: TestService;
let people: People;
let pod: ServiceProcess;
let slowDatabase: FaultyProxy;
let redis: FaultyProxy;

/** Starts two processes; the second has a slow database connection, and Redis behind a proxy. */
beforeAll(async () => {
  redis = await createFaultyProxy((await testRedis()).url);
  ({ service, people } = await startChat({ MAX_SOCKET_EVENTS_PER_MINUTE: '1000000' }));
  await recordCommitOrder(service);
  slowDatabase = await createFaultyProxy(service.env.DATABASE_URL ?? '', { delayMs: 20 });
  pod = await startPodProcess(service, people, { DATABASE_URL: slowDatabase.url, REDIS_URL: redis.url });
});
afterEach(() => {
  redis.restore();
  closeSockets();
});
afterAll(async () => {
  await pod?.end('SIGTERM');
  await service?.close();
  await slowDatabase?.close();
  await redis?.close();
});

type ChatSocket = Awaited<ReturnType<typeof connectChat>>;
type LiveSocket = Awaited<ReturnType<typeof connectLive>>;

/** Continuously sends, edits, deletes, and reads messages on one pod. */
function generateTraffic(
  pod: Pod,
  socket: ChatSocket,
  { conversation, user }: { conversation: string; user: keyof People },
) {
  let isStopped = false;
  let sentCount = 0;
  const call = async (method: string, path: string, body: unknown) => {
    const token = await pod.tokens.sign(people[user]);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await fetch(`${pod.url}/api/chat${path}`, { method, headers, body: JSON.stringify(body) });
  };
  const sendRound = async () => {
    const response = await socket.emits('message:send', { conversation, content: `${user} ${sentCount}` });
    if (!response.ok) throw new Error(response.error.code);
    sentCount += 1;
    if (sentCount % 3 === 0)
      await call('PATCH', `/messages/${response.data._id}`, { content: `${user} ${sentCount} edited` });
    if (sentCount % 5 === 0) await call('DELETE', `/messages/${response.data._id}`, {});
    if (sentCount % 2 === 0) await socket.succeeds('message:read', { conversation });
  };
  const trafficPromise = (async () => {
    while (!isStopped) await sendRound();
  })();
  return {
    sentCount: () => sentCount,
    async end() {
      isStopped = true;
      await trafficPromise;
    },
  };
}

/** Lists the received events that were committed after the removal. */
function listReceivedLater(
  conversation: string,
  { seq, changes }: LaterChanges,
  chatSockets: ChatSocket[],
  liveSockets: LiveSocket[],
): string[] {
  const events = chatSockets.flatMap(({ all }) => [
    ...all('message:new').flatMap(({ message }) =>
      message.conversation === conversation && message.seq > seq ? [`message ${message.seq}`] : [],
    ),
    ...all('message:updated').flatMap(({ message }) => (changes.has(message.content) ? [message.content] : [])),
    ...all('message:deleted').map((deleted) => `deleted ${deleted.seq}`),
    ...all('message:read').map((read) => `read ${read.user} ${read.seq}`),
  ]);
  const hints = liveSockets.flatMap((socket) =>
    socket
      .received()
      .filter((change) => change.resource === 'message' && change.action === 'created' && change.version > seq)
      .map((change) => `hint of message ${change.version}`),
  );
  return [...events.filter((event) => event.startsWith('message ') || changes.has(event)), ...hints];
}

type Hooks = { before?: () => void; after?: () => void };

/** Removes Ben during traffic while he opens more sockets. Returns the later commits, and those that he received. */
async function removeDuringTraffic(title: string, { before = () => undefined, after = () => undefined }: Hooks = {}) {
  const { _id: conversation } = await createGroup(service, [people.member, people.ben, people.cleo], title);
  const pods: Pod[] = [service, pod];
  const chatSockets = await Promise.all(pods.map((targetPod) => connectChat(targetPod, people.ben)));
  const liveSockets = await Promise.all(pods.map((targetPod) => connectLive(targetPod, people.ben)));
  const { position } = await (liveSockets[0] as LiveSocket).subscribe(['conversations']);
  const [memberSocket, cleoSocket] = await Promise.all([
    connectChat(service, people.member),
    connectChat(pod, people.cleo),
  ]);
  const traffic = [
    generateTraffic(service, memberSocket, { conversation, user: 'member' }),
    generateTraffic(pod, cleoSocket, { conversation, user: 'cleo' }),
  ];
  const waitForMessages = (count: number) => {
    const startCounts = traffic.map(({ sentCount }) => sentCount());
    return waitFor(() => traffic.every(({ sentCount }, index) => sentCount() >= (startCounts[index] ?? 0) + count), {
      description: 'more messages to be sent',
    });
  };
  await waitForMessages(5);
  before();
  const connectingChat = pods.flatMap((targetPod) => [
    connectChat(targetPod, people.ben),
    connectChat(targetPod, people.ben),
  ]);
  const connectingLive = pods.map((targetPod) => connectLive(targetPod, people.ben));
  const path = `/chat/conversations/${conversation}/participants/${people.ben._id}`;
  await request(service, people.member, ['DELETE', path]);
  const lateChat = await Promise.all(connectingChat);
  const lateLive = await Promise.all(connectingLive);
  after();
  await waitForMessages(5);
  await Promise.all(traffic.map(({ end }) => end()));
  const lastMessage = await send(service, people.member, conversation, 'the end');
  for (const socket of [memberSocket, cleoSocket])
    await socket.receives('message:new', ({ message }) => message._id === lastMessage._id);
  const reconnectedSockets = await Promise.all(pods.map((targetPod) => connectLive(targetPod, people.ben)));
  const replays = await Promise.all(reconnectedSockets.map(({ subscribe }) => subscribe(['conversations'], position)));
  const laterChanges = await listLaterChanges(service, conversation, people.ben._id);
  for (const { socket } of [
    ...chatSockets,
    ...lateChat,
    ...liveSockets,
    ...lateLive,
    ...reconnectedSockets,
    memberSocket,
    cleoSocket,
  ])
    socket.disconnect();
  return {
    laterChanges,
    receivedEvents: listReceivedLater(
      conversation,
      laterChanges,
      [...chatSockets, ...lateChat],
      [...liveSockets, ...lateLive, ...reconnectedSockets],
    ),
    replayed: replays
      .flatMap(({ changes }) => changes ?? [])
      .filter(({ resource, id }) => resource === 'message' && id === conversation),
  };
}

describe('a removed user receives nothing that is committed after the removal', () => {
  it('on any process, on sockets that connect during the removal, or by replay', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { laterChanges, receivedEvents, replayed } = await removeDuringTraffic(`round-${round}`);
      // Ensures that there was traffic before and after the removal.
      expect(laterChanges.seq).toBeGreaterThan(5);
      expect(laterChanges.changes.size).toBeGreaterThan(2);
      expect({ round, receivedEvents, replayed }).toEqual({ round, receivedEvents: [], replayed: [] });
    }
  });

  it('while Redis is stalled for one process, and after it recovers', async () => {
    const hooks = { before: () => redis.stall(), after: () => redis.restore() };
    const { receivedEvents, replayed } = await removeDuringTraffic('silent-redis', hooks);
    expect({ receivedEvents, replayed }).toEqual({ receivedEvents: [], replayed: [] });
  });
});
