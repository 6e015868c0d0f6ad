import { EventEmitter } from 'node:events';
import { envelope, producerOf, subjectOf } from '@atrium/proto-events/event';
import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { ensureStream, type Messaging, PULL_MS } from '../messaging/messaging.ts';
import { followStream } from '../messaging/stream-watch.ts';
import type { Logger } from '../process/logger.ts';

/** Longest life of an access token, with a minute for clocks: older revocations have nothing left to refuse. */
const REMEMBER_MS = 16 * 60 * 1000;

/** Sessions that ended before their access tokens did. */
export type Revocations = {
  has(sessionId: string): boolean;
  add(sessionId: string, at: number): void;
  /** Calls the listener for each session that ends from now on. */
  onRevoked(listener: (sessionId: string) => void): void;
};

/** An empty set; entries leave by themselves once no token of theirs can be valid. */
export function createRevocations(): Revocations {
  const ended = new Map<string, number>();
  const changes = new EventEmitter().setMaxListeners(0);
  return {
    has: (sessionId) => ended.has(sessionId),
    onRevoked: (listener) => void changes.on('revoked', listener),
    add(sessionId, at) {
      for (const [id, time] of ended) {
        if (time > Date.now() - REMEMBER_MS) break;
        ended.delete(id);
      }
      ended.set(sessionId, at);
      changes.emit('revoked', sessionId);
    },
  };
}

/** Every process, not one of each service, must hear of every revocation: an ordered consumer of its own, from 16 minutes ago. */
export async function feedRevocations(
  revocations: Revocations,
  messaging: Messaging,
  log: Logger,
): Promise<{ close(): Promise<void> }> {
  const producer = producerOf(sessionRevoked);
  const follow = async () => {
    const stream = await ensureStream(messaging, producer);
    const consumer = await messaging.js.consumers.get(stream, {
      filter_subjects: messaging.subject(subjectOf(sessionRevoked)),
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: await firstSince(messaging, stream, Date.now() - REMEMBER_MS),
    });
    return consumer.consume({
      expires: PULL_MS,
      callback: (message) => {
        const revoked = readRevocation(message);
        if (revoked) revocations.add(revoked.sessionId, revoked.at);
      },
    });
  };
  return followStream({ messaging, stream: messaging.stream(producer), follow, log });
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

/** None for what is no revocation: an error here would end the feed, and with it every later revocation. */
function readRevocation(message: JsMsg): { sessionId: string; at: number } | undefined {
  try {
    const { occurredAt, data } = envelope.parse(message.json());
    return { sessionId: sessionRevoked.data.parse(data).sessionId, at: Date.parse(occurredAt) };
  } catch {
    return undefined;
  }
}
