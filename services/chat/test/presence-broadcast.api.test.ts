import { createLogger } from '@atrium/service-kit/observability/logger';
import { newId } from '@atrium/service-kit/process/new-id';
import { testRedis } from '@atrium/test-kit/backing-servers';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { createPresenceBroadcast } from '../src/presence/presence-broadcast.ts';
import { createPresenceStore } from '../src/presence/presence-store.ts';
import { openRedis } from '../src/sockets/redis.ts';
import { type ChatNamespace, createSockets, presenceRoom } from '../src/sockets/socket-server.ts';

const open = closeAfterEach();
const quiet = createLogger('chat', 'silent');
const LIFE_MS = 25_000;

async function createPod(prefix: string) {
  const redis = openRedis((await testRedis()).url, prefix, quiet);
  open.push(redis);
  const { chat } = createSockets(redis);
  await waitFor(() => redis.isConnected(), { what: 'Redis' });
  return { redis, chat, store: createPresenceStore(redis, { id: newId(), lifeMs: LIFE_MS }) };
}
type Pod = Awaited<ReturnType<typeof createPod>>;

function createBroadcast({ chat, store }: Pod, otherStore = store) {
  const broadcast = createPresenceBroadcast(chat, otherStore);
  open.push(broadcast);
  return broadcast;
}

/** Adds a socket without a connection to these rooms; returns the packets written to it. */
function addSocket(chat: ChatNamespace, ...rooms: string[]): string[] {
  const written: string[] = [];
  const id = newId();
  const socket = { id, client: { writeToEngine: (packets: string[]) => written.push(...packets) } };
  chat.sockets.set(id, socket as never);
  void chat.adapter.addAll(id, new Set([id, ...rooms]));
  return written;
}

/** Counts iterations over all sockets of a pod. */
function countIterations({ chat }: Pod) {
  let iterations = 0;
  class Counted<K, V> extends Map<K, V> {
    override [Symbol.iterator]() {
      iterations += 1;
      return super[Symbol.iterator]();
    }
  }
  chat.adapter.sids = new Counted(chat.adapter.sids.entries());
  return () => iterations;
}

const waitForPacket = (written: string[], user: string) =>
  waitFor(() => written.some((packet) => packet.includes(user)), { what: 'the broadcast to be received' });

describe('a presence heartbeat', () => {
  it('returns users who were missing in Redis, once', async () => {
    const { prefix } = await testRedis();
    const [here, far] = [await createPod(prefix), await createPod(prefix)];
    // More than fit in one command.
    const people = Array.from({ length: 2_500 }, newId);
    expect(await here.store.beat(people)).toEqual({ lost: [], unknown: people });
    const [late = '', ...others] = people;
    await here.store.markOffline(late);
    expect(await here.store.beat(people)).toEqual({ lost: [], unknown: [late] });
    await here.redis.commands.del(...(await here.redis.commands.keys(`${prefix}:presence:*`)));
    expect(await far.store.filterOnline([late])).toEqual([]);
    expect(await here.store.beat(people)).toEqual({ lost: [], unknown: [late, ...others] });
    expect(await far.store.filterOnline([late])).toEqual([late]);
  });
});

describe('presence broadcasts', () => {
  it('do not iterate over unsubscribed sockets, on any pod', async () => {
    const { prefix } = await testRedis();
    const [here, far] = [await createPod(prefix), await createPod(prefix)];
    for (const { store } of [here, far]) await store.beat([]);
    for (let at = 0; at < 50; at += 1) for (const { chat } of [here, far]) addSocket(chat);
    const people = Array.from({ length: 300 }, newId);
    const last = people.at(-1) ?? '';
    const packets = [here, far].map(({ chat }) => addSocket(chat, presenceRoom(last)));
    const iterations = [here, far].map(countIterations);
    const broadcast = createBroadcast(here);
    for (const user of people) broadcast.online(user);
    for (const written of packets) await waitForPacket(written, last);
    expect(iterations.map((count) => count())).toEqual([0, 0]);
    expect(packets.map((written) => written.length)).toEqual([1, 1]);
  });

  it('omit offline if the user has connected to another pod', async () => {
    const { prefix } = await testRedis();
    const [left, joined, third] = [await createPod(prefix), await createPod(prefix), await createPod(prefix)];
    const [user, other] = [newId(), newId()];
    const packets = addSocket(third.chat, presenceRoom(user), presenceRoom(other));
    await left.store.markOnline(user);
    await left.store.markOffline(user);
    const broadcastOfLeft = createBroadcast(left);
    broadcastOfLeft.offline(user, new Date());
    broadcastOfLeft.online(other);
    // The other pod broadcasts before this one.
    await joined.store.markOnline(user);
    joined.chat.to(presenceRoom(user)).emit('user:online', { user });
    await waitForPacket(packets, other);
    expect(packets.filter((packet) => packet.includes(user)).map((packet) => packet.includes('user:online'))).toEqual([
      true,
    ]);
  });

  it('end with online if the user connects to another pod during the check', async () => {
    const { prefix } = await testRedis();
    const [left, joined, third] = [await createPod(prefix), await createPod(prefix), await createPod(prefix)];
    const user = newId();
    const packets = addSocket(third.chat, presenceRoom(user));
    let checks = 0;
    const broadcast = createBroadcast(left, {
      ...left.store,
      async filterOnline(userIds) {
        const online = await left.store.filterOnline(userIds);
        checks += 1;
        if (checks > 1) return online;
        await joined.store.markOnline(user);
        joined.chat.to(presenceRoom(user)).emit('user:online', { user });
        await waitForPacket(packets, user);
        return online;
      },
    });
    broadcast.offline(user, new Date());
    await waitFor(() => packets.length === 3, { what: 'three broadcasts' });
    expect(packets.map((packet) => packet.includes('user:online'))).toEqual([true, false, true]);
  });
});
