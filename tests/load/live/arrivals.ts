import { setTimeout as delay } from 'node:timers/promises';
import { type Figure, percentile } from '../figures.ts';
import { connectRaw, type RawSocket } from '../raw-socket.ts';
import { createCpu, detailOf } from './cpu.ts';
import type { Plan } from './plan.ts';
import type { Person } from './virtual-users.ts';

/** 10,000 people in ten minutes. */
const PER_SECOND = 17;
/** So many a screen shows: a page of Team Members, or the latest conversations. */
const SHOWN = 100;
const SETTLE_MS = 2_000;

/**
 * A Monday morning: people come one after the other, each with both sockets and a screen that shows a hundred of the others, who hear of
 * it where they show them.
 */
export async function arrivals({ office, browsers, seconds, print }: Plan): Promise<Figure[]> {
  const people = office.members.slice(0, browsers);
  const sockets: RawSocket[] = [];
  const heard = new Map<string, number[]>();
  const came = new Map<string, number>();
  const arrive = async (person: Person, index: number) => {
    const auth = { token: person.token };
    came.set(person._id, performance.now());
    const [chat, live] = await Promise.all(
      ['/chat', '/live'].map((namespace) => connectRaw(office.url, namespace, auth)),
    );
    if (!chat || !live) throw new Error('no socket');
    chat.onEvent((frame) => {
      const [, id] = /"user:online",\{"user":"([0-9a-f]{24})"/.exec(frame) ?? [];
      if (id !== undefined) heard.set(id, [...(heard.get(id) ?? []), performance.now()]);
    });
    const first = Math.max(0, Math.min(index - SHOWN / 2, people.length - SHOWN));
    chat.emit('presence:subscribe', { users: people.slice(first, first + SHOWN).map(({ _id }) => _id) });
    sockets.push(chat, live);
  };
  // The machine is warm, and some are there already.
  await Promise.all(people.slice(0, SHOWN).map(arrive));
  await delay(SETTLE_MS);
  const cpu = createCpu(office);
  const begun = performance.now();
  const coming = people.slice(SHOWN, SHOWN + PER_SECOND * seconds);
  if (coming.length < PER_SECOND * seconds)
    print(`  ${coming.length} people come: give --browsers ${SHOWN + PER_SECOND * seconds} for ${seconds} s`);
  const opening: Promise<void>[] = [];
  for (const [turn, person] of coming.entries()) {
    const early = (turn / PER_SECOND) * 1_000 - (performance.now() - begun);
    if (early > 0) await delay(early);
    opening.push(arrive(person, SHOWN + turn));
  }
  await Promise.all(opening);
  const cores = cpu.cores();
  await delay(SETTLE_MS);
  for (const socket of sockets) socket.close();
  const times = coming.flatMap(({ _id }) => (heard.get(_id) ?? []).map((at) => at - (came.get(_id) ?? at)));
  const figure = (given: Pick<Figure, 'what' | 'value' | 'unit' | 'detail'> & Partial<Figure>): Figure => ({
    limit: null,
    sense: 'at most',
    ...given,
  });
  return [
    figure({
      what: 'somebody comes, until those hear who show them',
      value: percentile(times, 0.95) / 1_000,
      unit: ' s',
      limit: 1,
      detail: `95th percentile of ${times.length}; ${coming.length} came, ${PER_SECOND} a second`,
    }),
    figure({
      what: 'frames for each who comes',
      value: times.length / Math.max(1, coming.length),
      unit: '',
      // As many as show them.
      limit: SHOWN,
      detail: `${sockets.length / 2} browsers`,
    }),
    figure({ what: 'CPU of chat', value: cores.chat ?? Number.NaN, unit: ' cores', detail: detailOf(cores) }),
  ];
}
