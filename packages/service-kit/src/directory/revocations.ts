import { EventEmitter } from 'node:events';
import { subjectOf } from '@atrium/proto-events/event';
import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { REVOCATIONS } from '@atrium/proto-events/nats-users';
import { followEvents } from '../messaging/follow-events.ts';
import type { Messaging } from '../messaging/messaging.ts';
import type { Logger } from '../observability/logger.ts';

/** Token lifetime plus equal clock skew plus one minute. No token revoked earlier can still be valid. */
const RETENTION_MS = 31 * 60 * 1000;

export type Revocations = {
  has(sessionId: string): boolean;
  add(sessionId: string): void;
  onRevoked(listener: (sessionId: string) => void): void;
};

/**
 * Removes each entry once none of its tokens can be valid. The time is counted from receipt, since the sender's clock
 * may differ.
 */
export function createRevocations(now = () => performance.now()): Revocations {
  const receivedAtById = new Map<string, number>();
  const changes = new EventEmitter().setMaxListeners(0);
  return {
    has: (sessionId) => receivedAtById.has(sessionId),
    onRevoked: (listener) => void changes.on('revoked', listener),
    add(sessionId) {
      for (const [id, receivedAt] of receivedAtById) {
        if (receivedAt > now() - RETENTION_MS) break;
        receivedAtById.delete(id);
      }
      if (!receivedAtById.has(sessionId)) receivedAtById.set(sessionId, now());
      changes.emit('revoked', sessionId);
    },
  };
}

/** Adds the revocations of the stream: every process, rather than one per service, must receive each of them. */
export function followRevocations(
  revocations: Revocations,
  messaging: Messaging,
  log: Logger,
): Promise<{ close(): Promise<void> }> {
  return followEvents({
    messaging,
    stream: REVOCATIONS,
    subject: subjectOf(sessionRevoked),
    sinceMs: RETENTION_MS,
    onEvent: ({ data }) => {
      const parsed = sessionRevoked.data.safeParse(data);
      if (parsed.success) revocations.add(parsed.data.sessionId);
    },
    log,
  });
}
