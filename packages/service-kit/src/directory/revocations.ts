import { EventEmitter } from 'node:events';
import { envelope, producerOf, subjectOf } from '@atrium/proto-events/event';
import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { ensureStream, type Messaging, PULL_MS } from '../messaging/messaging.ts';
import { followStream } from '../messaging/stream-watch.ts';
import type { Logger } from '../observe/logger.ts';

/** Longest life of an access token, as long again for a clock that is behind, and a minute: older revocations have nothing left to refuse. */
const REMEMBER_MS = 31 * 60 * 1000;

/** Sessions that ended before their access tokens did. */
export type Revocations = {
  has(sessionId: string): boolean;
  add(sessionId: string): void;
  /** Calls the listener for each session that ends from now on. */
  onRevoked(listener: (sessionId: string) => void): void;
};

/**
 * An empty set; entries leave by themselves once no token of theirs can be valid. Their age counts from when they were heard of: the
 * clock of whoever told may be another.
 */
export function createRevocations(now = () => performance.now()): Revocations {
  const ended = new Map<string, number>();
  const changes = new EventEmitter().setMaxListeners(0);
  return {
    has: (sessionId) => ended.has(sessionId),
    onRevoked: (listener) => void changes.on('revoked', listener),
    add(sessionId) {
      for (const [id, heardAt] of ended) {
        if (heardAt > now() - REMEMBER_MS) break;
        ended.delete(id);
      }
      if (!ended.has(sessionId)) ended.set(sessionId, now());
      changes.emit('revoked', sessionId);
    },
  };
}

/** Every process, not one of each service, must hear of every revocation: an ordered consumer of its own, from half an hour ago. */
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
        if (revoked !== undefined) revocations.add(revoked);
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
function readRevocation(message: JsMsg): string | undefined {
  try {
    return sessionRevoked.data.parse(envelope.parse(message.json()).data).sessionId;
  } catch {
    return undefined;
  }
}
