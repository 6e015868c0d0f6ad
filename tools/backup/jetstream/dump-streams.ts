import type { StreamInfo } from '@nats-io/jetstream';
import { writeCompressed } from '../files.ts';
import type { Installation } from '../installation/installation.ts';
import type { BackupConsumer, BackupStream } from '../manifest.ts';
import { toLine } from './message-line.ts';
import { messagesOf } from './read-messages.ts';

/** Fields set by the server or dependent on the size of the installation. */
const OMITTED_FIELDS = ['metadata', 'num_replicas', 'placement', 'first_seq', 'cluster'];

/** Writes the messages that a stream or bucket had at the time of the snapshot. */
export async function dumpStream(
  folder: string,
  installation: Installation,
  info: StreamInfo,
  durables: readonly BackupConsumer[],
): Promise<BackupStream> {
  const { name } = info.config;
  let messages = 0;
  const lines = async function* () {
    for await (const message of messagesOf(installation, info)) {
      messages += 1;
      yield toLine(message);
    }
  };
  const kept = await writeCompressed(folder, `jetstream/${name}.jsonl.gz`, lines());
  const config = Object.fromEntries(Object.entries(info.config).filter(([key]) => !OMITTED_FIELDS.includes(key)));
  return { name, config, messages, last: info.state.last_seq, durables: [...durables], ...kept };
}
