import { LIVE_PRODUCERS } from '@atrium/proto-events/nats-users';
import { findPendingWork } from '@atrium/test-kit/system/find-pending-work';
import type { Stores } from '@atrium/test-kit/system/stores';
import { waitFor } from '@atrium/test-kit/wait-for';
import type { Marker } from './marker.ts';

/** The last sequences of the streams of all producers. */
export type Sequences = readonly number[];

export async function readSequences({ manager, stream }: Stores): Promise<Sequences> {
  return Promise.all(LIVE_PRODUCERS.map(async (name) => (await manager.streams.info(stream(name))).state.last_seq));
}

/** Waits until all events of the last step were handled, and their changes sent. Returns the sequences of the events. */
export async function waitUntilSent(stores: Stores, marker: Marker): Promise<Sequences> {
  await waitFor(() => isIdle(stores), { description: 'the system to be idle', intervalMs: 50 });
  await marker.pass();
  return readSequences(stores);
}

/** Checks twice, because an event may be published while its consumers are checked. */
async function isIdle(stores: Stores): Promise<boolean> {
  const before = await readSequences(stores);
  for (let check = 0; check < 2; check += 1) if ((await findPendingWork(stores)).length > 0) return false;
  return (await readSequences(stores)).join() === before.join();
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
