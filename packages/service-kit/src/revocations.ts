import { EventEmitter } from 'node:events';
import { envelope, producerOf, subjectOf } from '@atrium/proto-events/event';
import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { DeliverPolicy } from '@nats-io/jetstream';
import { ensureStream, type Messaging } from './messaging.ts';

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
): Promise<{ close(): Promise<void> }> {
  const stream = await ensureStream(messaging, producerOf(sessionRevoked));
  const consumer = await messaging.js.consumers.get(stream, {
    filter_subjects: messaging.subject(subjectOf(sessionRevoked)),
    deliver_policy: DeliverPolicy.StartTime,
    opt_start_time: new Date(Date.now() - REMEMBER_MS).toISOString(),
  });
  const messages = await consumer.consume({
    callback: (message) => {
      const outer = envelope.safeParse(message.json());
      const data = outer.success ? sessionRevoked.data.safeParse(outer.data.data) : undefined;
      if (outer.success && data?.success) revocations.add(data.data.sessionId, Date.parse(outer.data.occurredAt));
    },
  });
  return { close: async () => void (await messages.close()) };
}
