import { createLogger } from '@atrium/service-kit/observability/logger';
import { newId } from '@atrium/service-kit/process/new-id';
import { testRedis } from '@atrium/test-kit/backing-servers';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { createPresenceNews } from '../src/presence/presence-broadcast.ts';
import { createPresenceStore } from '../src/presence/presence-store.ts';
import { openRedis } from '../src/realtime/redis.ts';
import { presenceRoom } from '../src/realtime/rooms.ts';
import { type ChatNamespace, createSockets } from '../src/sockets/socket-server.ts';

const open = closeAfterEach();
const quiet = createLogger('chat', 'silent');
const LIFE_MS = 25_000;

/** What a pod has of presence: its adapter, its store and its news, on the Redis that all of them share. */
async function aPod(prefix: string) {
  const redis = openRedis((await testRedis()).url, prefix, quiet);
  open.push(redis);
  const { chat } = createSockets(redis);
  await waitFor(() => redis.talking(), { what: 'Redis' });
  return { redis, chat, store: createPresenceStore(redis, { id: newId(), lifeMs: LIFE_MS }) };
}
type Pod = Awaited<ReturnType<typeof aPod>>;

function newsOf({ chat, store }: Pod, elsewhere = store) {
  const news = createPresenceNews(chat, elsewhere);
  open.push(news);
  return news;
}

/** Puts a socket without a connection into these rooms; answers what is written to it. */
function aListener(chat: ChatNamespace, ...rooms: string[]): string[] {
  const written: string[] = [];
  const id = newId();
  const socket = { id, client: { writeToEngine: (packets: string[]) => written.push(...packets) } };
  chat.sockets.set(id, socket as never);
  void chat.adapter.addAll(id, new Set([id, ...rooms]));
  return written;
}

/** Counts how often all sockets of a pod are gone through. */
function countWalks({ chat }: Pod) {
  let walks = 0;
  class Counted<K, V> extends Map<K, V> {
    override [Symbol.iterator]() {
      walks += 1;
      return super[Symbol.iterator]();
    }
  }
  chat.adapter.sids = new Counted(chat.adapter.sids.entries());
  return () => walks;
}

const isHeardBy = (written: string[], user: string) =>
  waitFor(() => written.some((packet) => packet.includes(user)), { what: 'the news to be heard' });

describe('a sign of life', () => {
  it('answers who was not known to be here, once: after Redis came back empty', async () => {
    const { prefix } = await testRedis();
    const [here, far] = [await aPod(prefix), await aPod(prefix)];
    // More than one command takes.
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

describe('news of presence', () => {
  it('pass over nobody who does not show the person, here and on other pods', async () => {
    const { prefix } = await testRedis();
    const [here, far] = [await aPod(prefix), await aPod(prefix)];
    for (const { store } of [here, far]) await store.beat([]);
    for (let at = 0; at < 50; at += 1) for (const { chat } of [here, far]) aListener(chat);
    const people = Array.from({ length: 300 }, newId);
    const last = people.at(-1) ?? '';
    const heard = [here, far].map(({ chat }) => aListener(chat, presenceRoom(last)));
    const walks = [here, far].map(countWalks);
    const news = newsOf(here);
    for (const user of people) news.online(user);
    for (const written of heard) await isHeardBy(written, last);
    expect(walks.map((count) => count())).toEqual([0, 0]);
    expect(heard.map((written) => written.length)).toEqual([1, 1]);
  });

  it('that somebody went are not told after they came back on another pod', async () => {
    const { prefix } = await testRedis();
    const [left, joined, third] = [await aPod(prefix), await aPod(prefix), await aPod(prefix)];
    const [user, other] = [newId(), newId()];
    const heard = aListener(third.chat, presenceRoom(user), presenceRoom(other));
    await left.store.markOnline(user);
    await left.store.markOffline(user);
    const leaving = newsOf(left);
    leaving.offline(user, new Date());
    leaving.online(other);
    // The other pod's window ends while this one's is still open.
    await joined.store.markOnline(user);
    joined.chat.to(presenceRoom(user)).emit('user:online', { user });
    await isHeardBy(heard, other);
    expect(heard.filter((packet) => packet.includes(user)).map((packet) => packet.includes('user:online'))).toEqual([
      true,
    ]);
  });

  it('end with their being here, also of somebody who comes while it is asked where they are', async () => {
    const { prefix } = await testRedis();
    const [left, joined, third] = [await aPod(prefix), await aPod(prefix), await aPod(prefix)];
    const user = newId();
    const heard = aListener(third.chat, presenceRoom(user));
    let asked = 0;
    const news = newsOf(left, {
      ...left.store,
      async filterOnline(userIds) {
        const answer = await left.store.filterOnline(userIds);
        asked += 1;
        if (asked > 1) return answer;
        await joined.store.markOnline(user);
        joined.chat.to(presenceRoom(user)).emit('user:online', { user });
        await isHeardBy(heard, user);
        return answer;
      },
    });
    news.offline(user, new Date());
    await waitFor(() => heard.length === 3, { what: 'what is true to be told last' });
    expect(heard.map((packet) => packet.includes('user:online'))).toEqual([true, false, true]);
  });
});
