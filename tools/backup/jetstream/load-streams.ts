import { BUCKETS } from '@atrium/proto-events/nats-users';
import { COMPLETE } from '@atrium/service-kit/directory/bucket';
import { DeliverPolicy, type StreamConfig } from '@nats-io/jetstream';
import { linesOf } from '../files.ts';
import type { Installation } from '../installation/installation.ts';
import type { KeptStream } from '../manifest.ts';
import { type KeptMessage, readLine } from './message-line.ts';
import { listStreams } from './name-streams.ts';

const AT_ONCE = 200;

/** Removes the streams to which nothing was published: those of the backup take their places. */
export async function removeUnusedStreams(place: Installation): Promise<void> {
  for (const { config } of await listStreams(place)) await place.manager.streams.delete(config.name);
}

/**
 * Makes a stream again with its messages in their order. They have new sequences and times; each durable goes on behind the last message
 * that had been handled.
 */
export async function loadStream(folder: string, place: Installation, kept: KeptStream): Promise<void> {
  const { manager, prefix, replicas } = place;
  // Replicas are of this place; as a stream is read from the manifest's file it is what a server once answered.
  const config = { ...kept.config, num_replicas: replicas } as unknown as StreamConfig;
  await manager.streams.add(config);
  /** Of each durable, where in the new stream the last message is that had been handled. */
  const handled = kept.durables.map(() => 0);
  let count = 0;
  const publish = async (messages: readonly KeptMessage[]) => {
    const acks = await Promise.all(
      messages.map(({ subject, headers, data }) => place.js.publish(subject, data, { headers })),
    );
    for (const [index, { seq }] of acks.entries())
      for (const [at, durable] of kept.durables.entries())
        if ((messages[index]?.seq ?? 0) <= durable.handled) handled[at] = Math.max(handled[at] ?? 0, seq);
    count += messages.length;
  };
  let batch: KeptMessage[] = [];
  for await (const line of linesOf(folder, kept)) {
    const message = readLine(line);
    if (!isKnownLater(message, prefix)) batch.push(message);
    else count += 1;
    if (batch.length < AT_ONCE) continue;
    await publish(batch);
    batch = [];
  }
  await publish(batch);
  if (count !== kept.messages)
    throw new Error(`${kept.name} has ${count} messages of the ${kept.messages} of the backup`);
  for (const [at, { config: said }] of kept.durables.entries())
    await manager.consumers.add(kept.name, {
      ...said,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: (handled[at] ?? 0) + 1,
    });
}

/** Its owner says that a bucket is complete: values that were changed after the cut are missing until it has filled the bucket again. */
const isKnownLater = ({ subject }: KeptMessage, prefix: string): boolean =>
  Object.keys(BUCKETS).some((bucket) => subject === `$KV.${prefix}_${bucket}.${COMPLETE}`);
