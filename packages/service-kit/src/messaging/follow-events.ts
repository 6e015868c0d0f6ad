import { envelope } from '@atrium/proto-events/event';
import { DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import type { z } from 'zod';
import type { Logger } from '../observability/logger.ts';
import { TRACEPARENT } from '../observability/tracing.ts';
import { type Messaging, PULL_MS, requireStream, streamInfo } from './messaging.ts';
import { followStream } from './stream-follower.ts';

const PROBE_MS = 10_000;

/** `streamCreatedAt` distinguishes recreated streams. */
export type StreamPosition = { streamCreatedAt: string; seq: number };

type Options = {
  messaging: Messaging;
  stream: string;
  /** Below the prefix, such as `auth.session.revoked.v1` or `users.>`. */
  subject: string;
  /** Age of the earliest event, in milliseconds. */
  sinceMs: number;
  /** `at`: when the stream stored it, in milliseconds since 1970. Must not throw. Invalid events are skipped. */
  onEvent: (event: z.output<typeof envelope>, position: StreamPosition & { at: number }) => void;
  /** The events that follow come after this position. Called again for a recreated stream. */
  onBegin?: (position: StreamPosition) => void;
  /** All events up to this position were delivered. Called again for a recreated stream. */
  onCaughtUp?: (position: StreamPosition) => void;
  log: Logger;
};

/**
 * Delivers every event of a producer to this process, regardless of the other processes of its service: past ones up
 * to `sinceMs` first, then new ones, each once as long as the stream is not recreated. Resolves once the past ones
 * were delivered. Uses an ordered, ephemeral consumer; if it ends, another one continues after the last event.
 */
export async function followEvents(options: Options): Promise<{ close(): Promise<void> }> {
  const { messaging, subject, sinceMs, onBegin, onEvent, onCaughtUp, log } = options;
  const filter = messaging.subject(subject);
  const { promise: caughtUp, resolve } = Promise.withResolvers<void>();
  let reached: StreamPosition | undefined;
  const follow = async () => {
    const stream = await requireStream(messaging, options.stream);
    const { created: streamCreatedAt, state } = await streamInfo(messaging, stream);
    const before = reached?.streamCreatedAt === streamCreatedAt ? reached.seq : undefined;
    const from = before ?? (await firstSince(messaging, stream, { filter, since: Date.now() - sinceMs })) - 1;
    const reach = (seq: number) => {
      reached = { streamCreatedAt, seq: Math.max(seq, from) };
    };
    const arrive = (seq: number) => {
      reach(seq);
      onCaughtUp?.({ streamCreatedAt, seq });
      resolve();
    };
    const consumer = await messaging.js.consumers.get(stream, {
      filter_subjects: filter,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: from + 1,
    });
    const { num_pending: pending } = await consumer.info();
    if (before === undefined) onBegin?.({ streamCreatedAt, seq: from });
    reach(from);
    if (pending === 0) arrive(state.last_seq);
    const messages = await consumer.consume({
      expires: PULL_MS,
      callback: (message) => {
        reach(message.seq);
        const event = readEvent(message);
        if (event) onEvent(event, { streamCreatedAt, seq: message.seq, at: message.time.getTime() });
        if (message.info.pending === 0) arrive(message.seq);
      },
    });
    return { streamCreatedAt, ended: messages.closed(), close: () => messages.close() };
  };
  return followStream({ messaging, stream: messaging.stream(options.stream), follow, caughtUp, log });
}

/** With the publishing span. Undefined for an invalid event: an error here would end the feed. */
function readEvent(message: JsMsg): z.output<typeof envelope> | undefined {
  try {
    const event = envelope.parse(message.json());
    return { ...event, traceparent: message.headers?.get(TRACEPARENT) || event.traceparent };
  } catch {
    return undefined;
  }
}

type Since = { filter: string; since: number };

/**
 * The sequence of the first event since a time, in milliseconds since 1970. Uses a temporary consumer: a followed
 * consumer that starts by time could not be recreated after a restart of NATS, as the client then requests both a
 * sequence and a time.
 */
async function firstSince({ manager, js }: Messaging, stream: string, { filter, since }: Since): Promise<number> {
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
  const first = await consumer.next({ expires: PULL_MS });
  if (!first) throw new Error(`The first event of the stream ${stream} did not arrive in time`);
  return first.seq;
}
