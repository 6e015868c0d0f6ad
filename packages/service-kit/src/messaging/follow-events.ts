import { envelope } from '@atrium/proto-events/event';
import { DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import type { z } from 'zod';
import type { Logger } from '../observability/logger.ts';
import { TRACEPARENT } from '../observability/tracing.ts';
import { type Messaging, PULL_MS, requireStream, streamInfo, TRANSACTION } from './messaging.ts';
import { followStream } from './stream-follower.ts';

/** Lifetime of the temporary consumer that finds the first event. */
const PROBE_MS = 10_000;

/** `streamCreatedAt` distinguishes recreated streams. */
export type StreamPosition = { streamCreatedAt: string; seq: number };

/** `transaction`: the id of its transaction in the producer's database; absent for events without one. */
export type FollowedEvent = z.output<typeof envelope> & { transaction?: string };

type Options = {
  messaging: Messaging;
  stream: string;
  /** Below the prefix, such as `auth.session.revoked.v1` or `users.>`. */
  subject: string;
  /** Maximum age of past events, in milliseconds. */
  sinceMs: number;
  /**
   * Must not throw. `at` is the time when the stream stored the event, in milliseconds since 1970. Invalid events are
   * skipped.
   */
  onEvent: (event: FollowedEvent, position: StreamPosition & { at: number }) => void;
  /** Called before the first event, with the position before it, and again for a recreated stream. */
  onBegin?: (position: StreamPosition) => void;
  /** Called whenever no event is pending: in normal operation, after each event. */
  onUpToDate?: (position: StreamPosition) => void;
  log: Logger;
};

/**
 * Delivers every event of a producer to this process, regardless of the other processes of its service: first past
 * events up to `sinceMs` old, then new ones, each once as long as the stream is not recreated. Resolves once the past
 * events were delivered. Uses an ordered, ephemeral consumer; if it ends, another one continues after the last event.
 */
export async function followEvents(options: Options): Promise<{ close(): Promise<void> }> {
  const { messaging, subject, sinceMs, onBegin, onEvent, onUpToDate, log } = options;
  const filter = messaging.subject(subject);
  const { promise: caughtUp, resolve } = Promise.withResolvers<void>();
  /** Everything up to this position is done: delivered or older than `sinceMs`. */
  let donePosition: StreamPosition | undefined;
  const follow = async () => {
    const stream = await requireStream(messaging, options.stream);
    const { created: streamCreatedAt, state } = await streamInfo(messaging, stream);
    const doneSeq = donePosition?.streamCreatedAt === streamCreatedAt ? donePosition.seq : undefined;
    const startSeq =
      doneSeq ?? (await findFirstSequence(messaging, stream, { filter, since: Date.now() - sinceMs })) - 1;
    const advance = (seq: number) => {
      donePosition = { streamCreatedAt, seq: Math.max(seq, startSeq) };
    };
    const reportUpToDate = (seq: number) => {
      advance(seq);
      onUpToDate?.({ streamCreatedAt, seq });
      resolve();
    };
    const consumer = await messaging.js.consumers.get(stream, {
      filter_subjects: filter,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: startSeq + 1,
    });
    const { num_pending: pending } = await consumer.info();
    if (doneSeq === undefined) onBegin?.({ streamCreatedAt, seq: startSeq });
    advance(startSeq);
    if (pending === 0) reportUpToDate(state.last_seq);
    const messages = await consumer.consume({
      expires: PULL_MS,
      callback: (message) => {
        advance(message.seq);
        const event = parseEnvelope(message);
        if (event) onEvent(event, { streamCreatedAt, seq: message.seq, at: message.time.getTime() });
        if (message.info.pending === 0) reportUpToDate(message.seq);
      },
    });
    return { streamCreatedAt, ended: messages.closed(), close: () => messages.close() };
  };
  return followStream({ messaging, stream: messaging.stream(options.stream), follow, caughtUp, log });
}

/** Adds the publishing span and the transaction. Returns undefined for an invalid event, since an error here would end the consumer. */
function parseEnvelope(message: JsMsg): FollowedEvent | undefined {
  try {
    const event = envelope.parse(message.json());
    const transaction = message.headers?.get(TRANSACTION);
    return {
      ...event,
      traceparent: message.headers?.get(TRACEPARENT) || event.traceparent,
      ...(transaction && { transaction }),
    };
  } catch {
    return undefined;
  }
}

type SequenceQuery = { filter: string; since: number };

/**
 * Returns the sequence of the first event since a time, in milliseconds since 1970. Uses a temporary consumer, since a
 * consumer that starts at a time could not be recreated after a restart of NATS: the client would then request both a
 * sequence and a time.
 */
async function findFirstSequence(
  { manager, js }: Messaging,
  stream: string,
  { filter, since }: SequenceQuery,
): Promise<number> {
  const { state } = await manager.streams.info(stream);
  const consumer = await js.consumers.get(stream, {
    filter_subjects: filter,
    deliver_policy: DeliverPolicy.StartTime,
    opt_start_time: new Date(since).toISOString(),
    headers_only: true,
    inactive_threshold: PROBE_MS,
  });
  const { num_pending: pending } = await consumer.info(true);
  if (pending === 0) return state.last_seq + 1;
  const firstMessage = await consumer.next({ expires: PULL_MS });
  if (!firstMessage) throw new Error(`The first event of the stream ${stream} did not arrive in time`);
  return firstMessage.seq;
}
