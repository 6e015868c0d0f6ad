import { LIVE_PRODUCERS } from '@atrium/proto-events/nats-users';
import type { Stores } from '@atrium/test-kit/system/stores';
import { waitUntilIdle } from '@atrium/test-kit/system/wait-until-idle';
import type { Marker } from './marker.ts';

/** The last sequences of the streams of all producers. */
export type Sequences = readonly number[];

export async function readSequences({ manager, stream }: Stores): Promise<Sequences> {
  return Promise.all(LIVE_PRODUCERS.map(async (name) => (await manager.streams.info(stream(name))).state.last_seq));
}

/** Waits until all events of the last step were handled, and their changes sent. Returns the sequences of the events. */
export async function waitUntilSent(stores: Stores, marker: Marker): Promise<Sequences> {
  let before: Sequences;
  do {
    before = await readSequences(stores);
    // Twice, because an event may be published while its consumers are checked.
    for (let check = 0; check < 2; check += 1) await waitUntilIdle(stores);
  } while ((await readSequences(stores)).join() !== before.join());
  await marker.pass();
  return readSequences(stores);
}

const MAX_SHOWN = 300;

/** Describes the events of a step. */
export async function listEvents({ manager, stream }: Stores, from: Sequences, to: Sequences): Promise<string[]> {
  const events: string[] = [];
  for (const [index, name] of LIVE_PRODUCERS.entries())
    for (let seq = (from[index] ?? 0) + 1; seq <= (to[index] ?? 0); seq += 1) {
      const message = await manager.streams.getMessage(stream(name), { seq });
      const { type, data } = message?.json<{ type: string; data: object }>() ?? {};
      events.push(`${type} ${JSON.stringify(data).slice(0, MAX_SHOWN)}`);
    }
  return events;
}
