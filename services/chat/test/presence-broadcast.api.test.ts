import { createLogger } from '@atrium/service-kit/observability/logger';
import { newId } from '@atrium/service-kit/process/new-id';
import { testRedis } from '@atrium/test-kit/backing-servers';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { createPresenceBroadcast } from '../src/presence/presence-broadcast.ts';
import { createPresenceStore } from '../src/presence/presence-store.ts';
import { openRedis } from '../src/sockets/redis.ts';
import { type ChatNamespace, createSocketServer, presenceRoom } from '../src/sockets/socket-server.ts';

const closables = closeAfterEach();
const silentLog = createLogger('chat', 'silent');
const LIFE_MS = 25_000;

async function createPod(prefix: string) {
  const redis = openRedis((await testRedis()).url, prefix, silentLog);
  closables.push(redis);
  const { chat } = createSocketServer(redis);
  await waitFor(() => redis.isConnected(), { description: 'Redis' });
  return { redis, chat, store: createPresenceStore(redis, { id: newId(), lifeMs: LIFE_MS }) };
}
type Pod = Awaited<ReturnType<typeof createPod>>;

function createBroadcast({ chat, store }: Pod, otherStore = store) {
  const broadcast = createPresenceBroadcast(chat, otherStore);
  closables.push(broadcast);
  return broadcast;
}

/** Adds a socket without a connection to these rooms, and returns the packets that are sent to it. */
function addSocket(chat: ChatNamespace, ...rooms: string[]): string[] {
  const sentPackets: string[] = [];
  const id = newId();
  const socket = { id, client: { writeToEngine: (packets: string[]) => sentPackets.push(...packets) } };
  chat.sockets.set(id, socket as never);
  void chat.adapter.addAll(id, new Set([id, ...rooms]));
  return sentPackets;
}

/** Returns a counter of the iterations over all sockets of a pod. */
function countIterations({ chat }: Pod) {
  let iterations = 0;
  class IterationCountingMap<K, V> extends Map<K, V> {
    override [Symbol.iterator]() {
      iterations += 1;
      return super[Symbol.iterator]();
    }
  }
  chat.adapter.sids = new IterationCountingMap(chat.adapter.sids.entries());
  return () => iterations;
}

const waitForPacket = (written: string[], user: string) =>
  waitFor(() => written.some((packet) => packet.includes(user)), { description: 'the broadcast to be received' });

describe('a presence heartbeat', () => {
  it('returns the users who were missing in Redis, and stores them', async () => {
    const { prefix } = await testRedis();
    const localPod = await createPod(prefix);
    const remotePod = await createPod(prefix);
    // These do not fit into one command.
    const userIds = Array.from({ length: 2_500 }, newId);
    expect(await localPod.store.sendHeartbeat(userIds)).toEqual({ expiredIds: [], missingIds: userIds });
    const [firstId = '', ...otherIds] = userIds;
    await localPod.store.markOffline(firstId);
    expect(await localPod.store.sendHeartbeat(userIds)).toEqual({ expiredIds: [], missingIds: [firstId] });
    await localPod.redis.commands.del(...(await localPod.redis.commands.keys(`${prefix}:presence:*`)));
    expect(await remotePod.store.filterOnline([firstId])).toEqual([]);
    expect(await localPod.store.sendHeartbeat(userIds)).toEqual({ expiredIds: [], missingIds: [firstId, ...otherIds] });
    expect(await remotePod.store.filterOnline([firstId])).toEqual([firstId]);
  });
});

describe('presence broadcasts', () => {
  it('do not iterate over unsubscribed sockets, on any pod', async () => {
    const { prefix } = await testRedis();
    const localPod = await createPod(prefix);
    const remotePod = await createPod(prefix);
    for (const { store } of [localPod, remotePod]) await store.sendHeartbeat([]);
    for (let index = 0; index < 50; index += 1) for (const { chat } of [localPod, remotePod]) addSocket(chat);
    const userIds = Array.from({ length: 300 }, newId);
    const lastId = userIds.at(-1) ?? '';
    const packets = [localPod, remotePod].map(({ chat }) => addSocket(chat, presenceRoom(lastId)));
    const iterations = [localPod, remotePod].map(countIterations);
    const broadcast = createBroadcast(localPod);
    for (const user of userIds) broadcast.online(user);
    for (const written of packets) await waitForPacket(written, lastId);
    expect(iterations.map((count) => count())).toEqual([0, 0]);
    expect(packets.map((written) => written.length)).toEqual([1, 1]);
  });

  it('omit offline if the user has connected to a different pod', async () => {
    const { prefix } = await testRedis();
    const previousPod = await createPod(prefix);
    const newPod = await createPod(prefix);
    const observingPod = await createPod(prefix);
    const user = newId();
    const otherUser = newId();
    const packets = addSocket(observingPod.chat, presenceRoom(user), presenceRoom(otherUser));
    await previousPod.store.markOnline(user);
    await previousPod.store.markOffline(user);
    const broadcast = createBroadcast(previousPod);
    broadcast.offline(user, new Date());
    broadcast.online(otherUser);
    // The new pod broadcasts before the previous one.
    await newPod.store.markOnline(user);
    newPod.chat.to(presenceRoom(user)).emit('user:online', { user });
    await waitForPacket(packets, otherUser);
    expect(packets.filter((packet) => packet.includes(user)).map((packet) => packet.includes('user:online'))).toEqual([
      true,
    ]);
  });

  it('end with online if the user connects to a different pod during the check', async () => {
    const { prefix } = await testRedis();
    const previousPod = await createPod(prefix);
    const newPod = await createPod(prefix);
    const observingPod = await createPod(prefix);
    const user = newId();
    const packets = addSocket(observingPod.chat, presenceRoom(user));
    let checks = 0;
    const broadcast = createBroadcast(previousPod, {
      ...previousPod.store,
      async filterOnline(userIds) {
        const online = await previousPod.store.filterOnline(userIds);
        checks += 1;
        if (checks > 1) return online;
        await newPod.store.markOnline(user);
        newPod.chat.to(presenceRoom(user)).emit('user:online', { user });
        await waitForPacket(packets, user);
        return online;
      },
    });
    broadcast.offline(user, new Date());
    await waitFor(() => packets.length === 3, { description: 'three broadcasts' });
    expect(packets.map((packet) => packet.includes('user:online'))).toEqual([true, false, true]);
  });
});
