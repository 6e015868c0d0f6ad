import { EventEmitter } from 'node:events';
import { subjectOf } from '@atrium/proto-events/event';
import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { REVOCATIONS } from '@atrium/proto-events/nats-users';
import { followEvents } from '../messaging/follow-events.ts';
import type { Messaging } from '../messaging/messaging.ts';
import type { Logger } from '../observability/logger.ts';

/**
 * Maximum lifetime of an access token, the same again for clock skew, and a minute: older revocations have no valid
 * tokens left.
 */
const REMEMBER_MS = 31 * 60 * 1000;

export type Revocations = {
  has(sessionId: string): boolean;
  add(sessionId: string): void;
  onRevoked(listener: (sessionId: string) => void): void;
};

/**
 * Entries are removed once none of their tokens can be valid, counted from receipt, since the sender's clock may
 * differ.
 */
export function createRevocations(now = () => performance.now()): Revocations {
  const ended = new Map<string, number>();
  const changes = new EventEmitter().setMaxListeners(0);
  return {
    has: (sessionId) => ended.has(sessionId),
    onRevoked: (listener) => void changes.on('revoked', listener),
    add(sessionId) {
      for (const [id, receivedAt] of ended) {
        if (receivedAt > now() - REMEMBER_MS) break;
        ended.delete(id);
      }
      if (!ended.has(sessionId)) ended.set(sessionId, now());
      changes.emit('revoked', sessionId);
    },
  };
}

/** Every process, rather than one per service, must receive every revocation. */
export function feedRevocations(
  revocations: Revocations,
  messaging: Messaging,
  log: Logger,
): Promise<{ close(): Promise<void> }> {
  return followEvents({
    messaging,
    stream: REVOCATIONS,
    subject: subjectOf(sessionRevoked),
    sinceMs: REMEMBER_MS,
    onEvent: ({ data }) => {
      const revoked = sessionRevoked.data.safeParse(data);
      if (revoked.success) revocations.add(revoked.data.sessionId);
    },
    log,
  });
}
