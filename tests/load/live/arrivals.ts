import { setTimeout as delay } from 'node:timers/promises';
import { type Figure, percentile } from '../figures.ts';
import { connectRaw, type RawSocket } from '../raw-socket.ts';
import { createCpuMeter, formatCores } from './cpu.ts';
import type { Plan } from './plan.ts';
import type { VirtualUser } from './virtual-users.ts';

/** 10,000 users in ten minutes. */
const ARRIVALS_PER_SECOND = 17;
/** Users shown on a screen: a page of Team Members, or the latest conversations. */
const SHOWN_USERS = 100;
const SETTLE_MS = 2_000;

/**
 * Simulates a Monday morning: users come online one at a time, each with both sockets and a screen that shows a hundred
 * others, whose presence it receives.
 */
export async function arrivals({ workspace, browsers, seconds, print }: Plan): Promise<Figure[]> {
  const users = workspace.members.slice(0, browsers);
  const sockets: RawSocket[] = [];
  const receivedAt = new Map<string, number[]>();
  const arrivedAt = new Map<string, number>();
  const connectUser = async (user: VirtualUser, index: number) => {
    const auth = { token: user.token };
    arrivedAt.set(user._id, performance.now());
    const [chat, live] = await Promise.all(
      ['/chat', '/live'].map((namespace) => connectRaw(workspace.url, namespace, auth)),
    );
    if (!chat || !live) throw new Error('Missing socket');
    chat.onEvent((frame) => {
      const [, id] = /"user:online",\{"user":"([0-9a-f]{24})"/.exec(frame) ?? [];
      if (id !== undefined) receivedAt.set(id, [...(receivedAt.get(id) ?? []), performance.now()]);
    });
    const firstIndex = Math.max(0, Math.min(index - SHOWN_USERS / 2, users.length - SHOWN_USERS));
    chat.emit('presence:subscribe', { users: users.slice(firstIndex, firstIndex + SHOWN_USERS).map(({ _id }) => _id) });
    sockets.push(chat, live);
  };
  // Warm-up; some users are online before the measurement.
  await Promise.all(users.slice(0, SHOWN_USERS).map(connectUser));
  await delay(SETTLE_MS);
  const cpu = createCpuMeter(workspace);
  const startedAt = performance.now();
  const arriving = users.slice(SHOWN_USERS, SHOWN_USERS + ARRIVALS_PER_SECOND * seconds);
  if (arriving.length < ARRIVALS_PER_SECOND * seconds)
    print(
      `  ${arriving.length} users to connect: use --browsers ${SHOWN_USERS + ARRIVALS_PER_SECOND * seconds} for ${seconds} s`,
    );
  const opening: Promise<void>[] = [];
  for (const [turn, user] of arriving.entries()) {
    const waitMs = (turn / ARRIVALS_PER_SECOND) * 1_000 - (performance.now() - startedAt);
    if (waitMs > 0) await delay(waitMs);
    opening.push(connectUser(user, SHOWN_USERS + turn));
  }
  await Promise.all(opening);
  const cores = cpu.cores();
  await delay(SETTLE_MS);
  for (const socket of sockets) socket.close();
  const delays = arriving.flatMap(({ _id }) =>
    (receivedAt.get(_id) ?? []).map((at) => at - (arrivedAt.get(_id) ?? at)),
  );
  const figure = (fields: Pick<Figure, 'name' | 'value' | 'unit' | 'detail'> & Partial<Figure>): Figure => ({
    limit: null,
    sense: 'at most',
    ...fields,
  });
  return [
    figure({
      name: 'presence updates, from connect to the users who show it',
      value: percentile(delays, 0.95) / 1_000,
      unit: ' s',
      limit: 1,
      detail: `95th percentile of ${delays.length}; ${arriving.length} came, ${ARRIVALS_PER_SECOND} per second`,
    }),
    figure({
      name: 'frames per user who comes online',
      value: delays.length / Math.max(1, arriving.length),
      unit: '',
      // One frame for each user whose screen shows the arriving user.
      limit: SHOWN_USERS,
      detail: `${sockets.length / 2} browsers`,
    }),
    figure({ name: 'CPU of chat', value: cores.chat ?? Number.NaN, unit: ' cores', detail: formatCores(cores) }),
  ];
}
