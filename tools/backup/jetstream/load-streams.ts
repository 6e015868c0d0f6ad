import { BUCKETS } from '@atrium/proto-events/nats-users';
import { COMPLETE } from '@atrium/service-kit/directory/bucket';
import { DeliverPolicy, type StreamConfig } from '@nats-io/jetstream';
import { linesOf } from '../files.ts';
import type { Installation } from '../installation/installation.ts';
import type { BackupStream } from '../manifest.ts';
import { listStreams } from './name-streams.ts';
import { type BackupMessage, readLine } from './read-messages.ts';

const MAX_CONCURRENT_PUBLISHES = 200;

export async function removeUnusedStreams(installation: Installation): Promise<void> {
  for (const { config } of await listStreams(installation)) await installation.manager.streams.delete(config.name);
}

/** Messages get new sequences and times; each durable consumer continues after the last message that it had handled. */
export async function loadStream(folder: string, installation: Installation, kept: BackupStream): Promise<void> {
  const { manager, prefix, replicas } = installation;
  // The replica count belongs to this installation. The manifest holds a configuration as a NATS server returned it.
  const config = { ...kept.config, num_replicas: replicas } as unknown as StreamConfig;
  await manager.streams.add(config);
  const handled = kept.durables.map(() => 0);
  let count = 0;
  const publish = async (messages: readonly BackupMessage[]) => {
    const acks = await Promise.all(
      messages.map(({ subject, headers, data }) => installation.js.publish(subject, data, { headers })),
    );
    for (const [index, { seq }] of acks.entries())
      for (const [at, durable] of kept.durables.entries())
        if ((messages[index]?.seq ?? 0) <= durable.handled) handled[at] = Math.max(handled[at] ?? 0, seq);
    count += messages.length;
  };
  let batch: BackupMessage[] = [];
  for await (const line of linesOf(folder, kept)) {
    const message = readLine(line);
    if (!isCompletenessMarker(message, prefix)) batch.push(message);
    else count += 1;
    if (batch.length < MAX_CONCURRENT_PUBLISHES) continue;
    await publish(batch);
    batch = [];
  }
  await publish(batch);
  if (count !== kept.messages) throw new Error(`Restored ${count} messages of ${kept.name}, expected ${kept.messages}`);
  for (const [at, { config: consumerConfig }] of kept.durables.entries())
    await manager.consumers.add(kept.name, {
      ...consumerConfig,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: (handled[at] ?? 0) + 1,
    });
}

/** Values changed after the snapshot are missing until the bucket's owner has filled it again. */
const isCompletenessMarker = ({ subject }: BackupMessage, prefix: string): boolean =>
  Object.keys(BUCKETS).some((bucket) => subject === `$KV.${prefix}_${bucket}.${COMPLETE}`);
