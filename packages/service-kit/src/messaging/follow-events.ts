import { envelope } from '@atrium/proto-events/event';
import { DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import type { z } from 'zod';
import type { Logger } from '../observe/logger.ts';
import { TRACEPARENT } from '../observe/tracing.ts';
import { ensureStream, type Messaging, PULL_MS } from './messaging.ts';
import { followStream } from './stream-watch.ts';

/** Where an event stands in its producer's stream; `madeAt` tells that stream from one that took its place. */
export type StreamPlace = { madeAt: string; seq: number };

type Options = {
  messaging: Messaging;
  producer: string;
  /** Below the prefix, such as `auth.session.revoked.v1`; all of the producer's events unless told. */
  subject?: string;
  /** How far back it begins, in milliseconds. */
  sinceMs: number;
  /** `at`: when the stream took it, in milliseconds since 1970. Must not throw. What is no event is left out. */
  onEvent: (event: z.output<typeof envelope>, place: StreamPlace & { at: number }) => void;
  /** What comes stands behind this place. Called again for a stream that took the place of another. */
  onBegin?: (place: StreamPlace) => void;
  /** All up to this place has been handed over, or is no event of that subject. Called again for a stream that took the place of another. */
  onCaughtUp?: (place: StreamPlace) => void;
  log: Logger;
};

/**
 * Hands every event of a producer to this process, whatever the others of its service do: those since a while ago first, then each that
 * comes, each once for as long as the stream is the same. Resolves once the first have been handed over. By an ordered consumer of its own,
 * of which the server keeps nothing; where that ends by itself another goes on behind the last event.
 */
export async function followEvents(options: Options): Promise<{ close(): Promise<void> }> {
  const { messaging, producer, subject = `${producer}.>`, sinceMs, onBegin, onEvent, onCaughtUp, log } = options;
  const { promise: caughtUp, resolve } = Promise.withResolvers<void>();
  /** All up to there has been handed over, or need not be. */
  let reached: StreamPlace | undefined;
  const follow = async () => {
    const stream = await ensureStream(messaging, producer);
    const { created: madeAt, state } = await messaging.manager.streams.info(stream);
    const before = reached?.madeAt === madeAt ? reached.seq : undefined;
    const from = before ?? (await firstSince(messaging, stream, Date.now() - sinceMs)) - 1;
    const reach = (seq: number) => {
      reached = { madeAt, seq: Math.max(seq, from) };
    };
    const arrive = (seq: number) => {
      reach(seq);
      onCaughtUp?.({ madeAt, seq });
      resolve();
    };
    const consumer = await messaging.js.consumers.get(stream, {
      filter_subjects: messaging.subject(subject),
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: from + 1,
    });
    const { num_pending: pending } = await consumer.info();
    if (before === undefined) onBegin?.({ madeAt, seq: from });
    reach(from);
    if (pending === 0) arrive(state.last_seq);
    const messages = await consumer.consume({
      expires: PULL_MS,
      callback: (message) => {
        reach(message.seq);
        const event = readEvent(message);
        if (event) onEvent(event, { madeAt, seq: message.seq, at: message.time.getTime() });
        if (message.info.pending === 0) arrive(message.seq);
      },
    });
    return { madeAt, ended: messages.closed(), close: () => messages.close() };
  };
  return followStream({ messaging, stream: messaging.stream(producer), follow, caughtUp, log });
}

/** With the span that published it. None for what is no event: an error here would end the feed, and with it every later event. */
function readEvent(message: JsMsg): z.output<typeof envelope> | undefined {
  try {
    const event = envelope.parse(message.json());
    return { ...event, traceparent: message.headers?.get(TRACEPARENT) || event.traceparent };
  } catch {
    return undefined;
  }
}

/**
 * The first message since a moment, by halving. A consumer that starts by time cannot be made again after a restart of NATS: the
 * client then asks for the next sequence as well as for the time, which the server refuses for ever.
 */
async function firstSince(messaging: Messaging, stream: string, since: number): Promise<number> {
  const { state } = await messaging.manager.streams.info(stream);
  let low = Math.max(1, state.first_seq);
  let high = state.last_seq + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const message = await messaging.manager.streams.getMessage(stream, { seq: middle });
    // A gap counts as recent: starting too early does no harm.
    if (message && message.time.getTime() < since) low = middle + 1;
    else high = middle;
  }
  return low;
}
