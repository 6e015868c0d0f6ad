import { randomUUID } from 'node:crypto';
import { mentionOf } from '@atrium/proto-events/text/mentions';
import { waitFor } from '@atrium/test-kit/wait-for';
import {
  type ApiResponse,
  type Client,
  createResource,
  expectStatus,
  PASSWORD,
  signInClient,
} from '../../workspace/workspace.ts';

/** Numbers of events that users were notified of, by user and kind. */
export type Counts = Record<string, number>;

const EMOJI = [...'👍🎉👀🚀✅🔥💡🙏😀🤔😂😍😎😮😢👏💯👋💪🍀'];
const KINDS = 4;
const CONCURRENCY = 8;
/** Few enough that each notification counts all its events, and that no user reacts twice with one emoji. */
const WRITES_PER_ROOM = 240;
/** A notification counts no more events. */
const MAX_COUNTED_EVENTS = 100;

type Write = { send: () => Promise<ApiResponse<unknown>>; notified: readonly (readonly [Client, string])[] };
/** With a message of each user, by their id. */
type Room = { group: string; root: string; messages: ReadonlyMap<string, string> };

const post = (client: Client, body: object) => createResource(client, '/chat/messages', body);

/** Creates a group with a thread that all its users follow, and a message of each. */
async function createRoom(users: readonly Client[], owner: Client): Promise<Room> {
  const participants = users.filter((user) => user !== owner).map(({ id }) => id);
  const group = await createResource(owner, '/chat/conversations', { type: 'group', title: 'work', participants });
  const root = await post(owner, { conversation: group, content: 'The thread' });
  await Promise.all(users.map((user) => expectStatus(user.call('PUT', `/chat/messages/${root}/follow`), 200)));
  const posted = users.map(async (user) => {
    const message = await post(user, { conversation: group, content: 'My message' });
    return [user.id, message] as const;
  });
  return { group, root, messages: new Map(await Promise.all(posted)) };
}

async function openDirect(user: Client, other: Client): Promise<string> {
  const body = { type: 'direct', participants: [other.id] };
  const { status, body: conversation } = await user.call<{ _id: string }>('POST', '/chat/conversations', body);
  if (status >= 300) throw new Error(`A direct conversation could not be opened: ${status}`);
  return conversation._id;
}

/**
 * Users who mention each other, send direct messages, reply in threads that all follow, and react. The same write is
 * repeated until it is acknowledged.
 */
export function prepareNotifiedWork(users: readonly Client[], url: string) {
  const rooms = new Map<number, Promise<Room>>();
  const atIndex = (index: number): Client => {
    const user = users[index % users.length];
    if (!user) throw new Error('No users');
    return user;
  };
  const findRoom = (round: number): Promise<Room> => {
    const room = rooms.get(round) ?? untilDone(() => createRoom(users, atIndex(round)), `room ${round}`);
    rooms.set(round, room);
    return room;
  };

  const toWrite = async (index: number): Promise<Write> => {
    const round = Math.floor(index / WRITES_PER_ROOM);
    const { group, root, messages } = await findRoom(round);
    const position = Math.floor(index / KINDS);
    const user = atIndex(position);
    const next = atIndex(position + 1 + (round % (users.length - 1)));
    const clientMessageId = randomUUID();
    const send = (body: object) => user.call('POST', '/chat/messages', { clientMessageId, ...body });
    switch (index % KINDS) {
      case 0:
        return {
          send: () => send({ conversation: group, content: `${mentionOf(next.id)} ${index}` }),
          notified: [[next, 'mention']],
        };
      case 1: {
        const direct = await openDirect(user, next);
        return {
          send: () => send({ conversation: direct, content: `Direct ${index}` }),
          notified: [[next, 'direct_message']],
        };
      }
      case 2:
        return {
          send: () => send({ conversation: group, thread: root, content: `Reply ${index}` }),
          notified: users.filter((other) => other !== user).map((other) => [other, 'thread_reply']),
        };
      default: {
        const emoji = encodeURIComponent(EMOJI[Math.floor(position / users.length) % EMOJI.length] ?? '');
        return {
          send: () => user.call('PUT', `/chat/messages/${messages.get(next.id)}/reactions/${emoji}`),
          notified: [[next, 'reaction']],
        };
      }
    }
  };

  /** Performs writes, and calls `onWrite` before each. Returns what users have to be notified of. */
  const perform = async (count: number, onWrite: (index: number) => void): Promise<Counts> => {
    const directCount = count / KINDS / (users.length * (users.length - 1));
    if (directCount >= MAX_COUNTED_EVENTS) throw new Error(`${count} events need more users`);
    const expected: Counts = {};
    let index = 0;
    const work = async () => {
      while (index < count) {
        const current = index;
        index += 1;
        onWrite(current);
        const { send, notified } = await untilDone(() => toWrite(current), `write ${current} to be prepared`);
        await untilDone(async () => (await send()).status < 300 || undefined, `write ${current} to be acknowledged`);
        for (const [{ id }, kind] of notified) expected[`${id} ${kind}`] = (expected[`${id} ${kind}`] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    return expected;
  };
  /** In new sessions, because the work may have taken longer than access tokens are valid. */
  const countInNewSessions = async () =>
    countNotified(await Promise.all(users.map(({ email }) => signInClient(url, email, PASSWORD))));
  return { perform, countNotified: countInNewSessions };
}

const untilDone = <T>(action: () => Promise<T | undefined>, description: string): Promise<T> =>
  waitFor(() => action().catch(() => undefined), { description, timeoutMs: 120_000, intervalMs: 150 });

type Notification = { notice: { kind: string } | null; eventCount: number };

async function countNotified(users: readonly Client[]): Promise<Counts> {
  const counts: Counts = {};
  for (const user of users)
    for (let page = 1, isLast = false; !isLast; page += 1) {
      const path = `/notifications?limit=100&page=${page}`;
      const { data, totalPages } = await expectStatus(
        user.call<{ data: Notification[]; totalPages: number }>('GET', path),
        200,
      );
      for (const { notice, eventCount } of data) {
        // Of signing in.
        if (notice?.kind === 'security') continue;
        const key = `${user.id} ${notice?.kind}`;
        counts[key] = (counts[key] ?? 0) + eventCount;
      }
      isLast = page >= totalPages;
    }
  return counts;
}

const total = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Waits until as many events have arrived as expected, or more. */
export const waitForNotified = (
  count: () => Promise<Counts>,
  expected: Counts,
  options: { timeoutMs: number; intervalMs: number },
): Promise<Counts> =>
  waitFor(
    async () => {
      const counts = await count().catch(() => undefined);
      return counts && total(counts) >= total(expected) ? counts : undefined;
    },
    { description: `notifications of ${total(expected)} events`, ...options },
  );
