import type { StreamInfo } from '@nats-io/jetstream';
import { keep } from '../files.ts';
import type { Installation } from '../installation/installation.ts';
import type { KeptDurable, KeptStream } from '../manifest.ts';
import { toLine } from './message-line.ts';
import { messagesOf } from './read-messages.ts';

/** What the server knows best, and what a place of other size has otherwise. */
const LEFT_OUT = ['metadata', 'num_replicas', 'placement', 'first_seq', 'cluster'];

/** Keeps what a stream, or a bucket, had at the moment of the cut. */
export async function dumpStream(
  folder: string,
  place: Installation,
  info: StreamInfo,
  durables: readonly KeptDurable[],
): Promise<KeptStream> {
  const { name } = info.config;
  let messages = 0;
  const lines = async function* () {
    for await (const message of messagesOf(place, info)) {
      messages += 1;
      yield toLine(message);
    }
  };
  const kept = await keep(folder, `jetstream/${name}.jsonl.gz`, lines());
  const config = Object.fromEntries(Object.entries(info.config).filter(([key]) => !LEFT_OUT.includes(key)));
  return { name, config, messages, last: info.state.last_seq, durables: [...durables], ...kept };
}
