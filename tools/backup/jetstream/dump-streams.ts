import type { ConsumerConfig, StreamInfo } from '@nats-io/jetstream';
import { writeCompressed } from '../files.ts';
import type { Installation } from '../installation/installation.ts';
import type { BackupConsumer, BackupStream } from '../manifest.ts';
import { listStreams } from './list-streams.ts';
import { readStream, serializeMessage } from './read-messages.ts';

const OMITTED_FIELDS = ['metadata', 'num_replicas', 'placement', 'first_seq', 'cluster'];

export async function dumpStream(
  folder: string,
  installation: Installation,
  info: StreamInfo,
  durables: readonly BackupConsumer[],
): Promise<BackupStream> {
  const { name } = info.config;
  let messages = 0;
  const lines = async function* () {
    for await (const message of readStream(installation, info)) {
      messages += 1;
      yield serializeMessage(message);
    }
  };
  const file = await writeCompressed(folder, `jetstream/${name}.jsonl.gz`, lines());
  const config = Object.fromEntries(Object.entries(info.config).filter(([key]) => !OMITTED_FIELDS.includes(key)));
  return { name, config, messages, last: info.state.last_seq, durables: [...durables], ...file };
}

const CONSUMER_FIELDS = [
  'durable_name',
  'ack_policy',
  'filter_subject',
  'filter_subjects',
  'ack_wait',
  'max_ack_pending',
  'max_deliver',
] as const satisfies readonly (keyof ConsumerConfig)[];

/**
 * Reads the durable consumers of each stream, with the sequence that they have handled all events up to. Must run
 * before the snapshot, so that the snapshot contains the effects of those events. Redelivery after a restore is
 * idempotent.
 */
export async function readDurables(installation: Installation): Promise<Map<string, BackupConsumer[]>> {
  const durables = new Map<string, BackupConsumer[]>();
  for (const { config: stream } of await listStreams(installation)) {
    const consumers: BackupConsumer[] = [];
    for await (const { config, ack_floor } of installation.manager.consumers.list(stream.name)) {
      if (config.durable_name === undefined) continue;
      const consumerConfig = CONSUMER_FIELDS.flatMap((name) =>
        config[name] === undefined ? [] : [[name, config[name]]],
      );
      consumers.push({ config: Object.fromEntries(consumerConfig), handled: ack_floor.stream_seq });
    }
    durables.set(stream.name, consumers);
  }
  return durables;
}
