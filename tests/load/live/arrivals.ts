import { setTimeout as delay } from 'node:timers/promises';
import { type Figure, percentile } from '../figures.ts';
import { connectRaw, type RawSocket } from '../raw-socket.ts';
import { createCpu, detailOf } from './cpu.ts';
import type { Plan } from './plan.ts';
import type { Person } from './virtual-users.ts';

/** 10,000 users in ten minutes. */
const PER_SECOND = 17;
/** Users per screen: a page of Team Members, or the latest conversations. */
const SHOWN = 100;
const SETTLE_MS = 2_000;

/**
 * A Monday morning: users come online one at a time, each with both sockets and a screen that shows a hundred others, whose presence it
 * receives.
 */
export async function arrivals({ workspace, browsers, seconds, print }: Plan): Promise<Figure[]> {
  const people = workspace.members.slice(0, browsers);
  const sockets: RawSocket[] = [];
  const receivedAt = new Map<string, number[]>();
  const arrivedAt = new Map<string, number>();
  const connectUser = async (person: Person, index: number) => {
    const auth = { token: person.token };
    arrivedAt.set(person._id, performance.now());
    const [chat, live] = await Promise.all(
      ['/chat', '/live'].map((namespace) => connectRaw(workspace.url, namespace, auth)),
    );
    if (!chat || !live) throw new Error('Missing socket');
    chat.onEvent((frame) => {
      const [, id] = /"user:online",\{"user":"([0-9a-f]{24})"/.exec(frame) ?? [];
      if (id !== undefined) receivedAt.set(id, [...(receivedAt.get(id) ?? []), performance.now()]);
    });
    const first = Math.max(0, Math.min(index - SHOWN / 2, people.length - SHOWN));
    chat.emit('presence:subscribe', { users: people.slice(first, first + SHOWN).map(({ _id }) => _id) });
    sockets.push(chat, live);
  };
  // Warm-up; some users are online before the measurement.
  await Promise.all(people.slice(0, SHOWN).map(connectUser));
  await delay(SETTLE_MS);
  const cpu = createCpu(workspace);
  const startedAt = performance.now();
  const arriving = people.slice(SHOWN, SHOWN + PER_SECOND * seconds);
  if (arriving.length < PER_SECOND * seconds)
    print(`  ${arriving.length} users to connect: use --browsers ${SHOWN + PER_SECOND * seconds} for ${seconds} s`);
  const opening: Promise<void>[] = [];
  for (const [turn, person] of arriving.entries()) {
    const early = (turn / PER_SECOND) * 1_000 - (performance.now() - startedAt);
    if (early > 0) await delay(early);
    opening.push(connectUser(person, SHOWN + turn));
  }
  await Promise.all(opening);
  const cores = cpu.cores();
  await delay(SETTLE_MS);
  for (const socket of sockets) socket.close();
  const times = arriving.flatMap(({ _id }) => (receivedAt.get(_id) ?? []).map((at) => at - (arrivedAt.get(_id) ?? at)));
  const figure = (given: Pick<Figure, 'what' | 'value' | 'unit' | 'detail'> & Partial<Figure>): Figure => ({
    limit: null,
    sense: 'at most',
    ...given,
  });
  return [
    figure({
      what: 'presence updates, from connect to the users who show it',
      value: percentile(times, 0.95) / 1_000,
      unit: ' s',
      limit: 1,
      detail: `95th percentile of ${times.length}; ${arriving.length} came, ${PER_SECOND} per second`,
    }),
    figure({
      what: 'frames per user who comes online',
      value: times.length / Math.max(1, arriving.length),
      unit: '',
      // One per user who shows it.
      limit: SHOWN,
      detail: `${sockets.length / 2} browsers`,
    }),
    figure({ what: 'CPU of chat', value: cores.chat ?? Number.NaN, unit: ' cores', detail: detailOf(cores) }),
  ];
}
