import type { ConsumerConfig } from '@nats-io/jetstream';
import type { Installation } from '../installation/installation.ts';
import type { KeptDurable } from '../manifest.ts';
import { listStreams } from './name-streams.ts';

/** What services say of their durables; all else is the server's. */
const SAID = [
  'durable_name',
  'ack_policy',
  'filter_subject',
  'filter_subjects',
  'ack_wait',
  'max_ack_pending',
  'max_deliver',
] as const satisfies readonly (keyof ConsumerConfig)[];

/**
 * The durables of every stream, with the sequence up to which everything had been handled. Read before the cut: what is there then holds
 * the effects of that and more, and what comes again after a restore changes nothing.
 */
export async function readDurables(place: Installation): Promise<Map<string, KeptDurable[]>> {
  const durables = new Map<string, KeptDurable[]>();
  for (const { config: stream } of await listStreams(place)) {
    const found: KeptDurable[] = [];
    for await (const { config, ack_floor } of place.manager.consumers.list(stream.name)) {
      if (config.durable_name === undefined) continue;
      const said = SAID.flatMap((name) => (config[name] === undefined ? [] : [[name, config[name]]]));
      found.push({ config: Object.fromEntries(said), handled: ack_floor.stream_seq });
    }
    durables.set(stream.name, found);
  }
  return durables;
}
