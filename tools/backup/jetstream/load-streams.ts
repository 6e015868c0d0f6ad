import { BUCKETS } from '@atrium/proto-events/nats-users';
import { COMPLETE } from '@atrium/service-kit/directory/bucket';
import { DeliverPolicy, type StreamConfig } from '@nats-io/jetstream';
import { readLines } from '../files.ts';
import type { Installation } from '../installation/installation.ts';
import type { BackupStream } from '../manifest.ts';
import { listStreams } from './list-streams.ts';
import { type BackupMessage, parseMessage } from './read-messages.ts';

const MAX_CONCURRENT_PUBLISHES = 200;

export async function removeUnusedStreams(installation: Installation): Promise<void> {
  for (const { config } of await listStreams(installation)) await installation.manager.streams.delete(config.name);
}

/** Messages get new sequences and times; each durable consumer continues after the last message that it had handled. */
export async function loadStream(folder: string, installation: Installation, stream: BackupStream): Promise<void> {
  const { manager, prefix, replicas } = installation;
  // The replica count belongs to this installation. The manifest holds a configuration as a NATS server returned it.
  const config = { ...stream.config, num_replicas: replicas } as unknown as StreamConfig;
  await manager.streams.add(config);
  const handled = stream.durables.map(() => 0);
  let count = 0;
  const publish = async (messages: readonly BackupMessage[]) => {
    const acks = await Promise.all(
      messages.map(({ subject, headers, data }) => installation.js.publish(subject, data, { headers })),
    );
    for (const [index, { seq }] of acks.entries())
      for (const [consumerIndex, durable] of stream.durables.entries())
        if ((messages[index]?.seq ?? 0) <= durable.handled)
          handled[consumerIndex] = Math.max(handled[consumerIndex] ?? 0, seq);
    count += messages.length;
  };
  let batch: BackupMessage[] = [];
  for await (const line of readLines(folder, stream)) {
    const message = parseMessage(line);
    if (!isCompletenessMarker(message, prefix)) batch.push(message);
    else count += 1;
    if (batch.length < MAX_CONCURRENT_PUBLISHES) continue;
    await publish(batch);
    batch = [];
  }
  await publish(batch);
  if (count !== stream.messages)
    throw new Error(`Restored ${count} messages of ${stream.name}, expected ${stream.messages}`);
  for (const [consumerIndex, { config: consumerConfig }] of stream.durables.entries())
    await manager.consumers.add(stream.name, {
      ...consumerConfig,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: (handled[consumerIndex] ?? 0) + 1,
    });
}

/** Markers are not restored, because values changed after the snapshot are missing until the owner fills the bucket. */
const isCompletenessMarker = ({ subject }: BackupMessage, prefix: string): boolean =>
  Object.keys(BUCKETS).some((bucket) => subject === `$KV.${prefix}_${bucket}.${COMPLETE}`);
