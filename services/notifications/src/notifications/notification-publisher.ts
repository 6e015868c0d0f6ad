import { notificationChanged } from '@atrium/proto-events/events/notifications';
import { type Messaging, publishWithoutOutbox } from '@atrium/service-kit/messaging/messaging';
import { outboxRow } from '@atrium/service-kit/messaging/outbox';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { newId } from '@atrium/service-kit/process/new-id';

type NotificationChange = { userIds: string[]; subjectId: string; id?: string };

/** Publishes changed notification lists directly to JetStream, because the store has no outbox, and queues pushes. */
export type NotificationPublisher = {
  /** Resolves once published. Retries with the same id are deduplicated for a few minutes. */
  publish(change: NotificationChange): Promise<void>;
  /** Does not wait. If publishing fails, other tabs of the user are updated by the next change. */
  publishInBackground(change: NotificationChange): void;
};

type PublisherDeps = {
  messaging: Promise<Messaging>;
  log: Logger;
  queuePushes: (change: NotificationChange) => Promise<void>;
};

export function createNotificationPublisher({ messaging, log, queuePushes }: PublisherDeps): NotificationPublisher {
  const publish = async ({ userIds, subjectId, id = newId() }: NotificationChange) => {
    await queuePushes({ userIds, subjectId });
    const row = outboxRow({
      event: notificationChanged,
      data: { personIds: userIds, about: subjectId },
      aggregate: subjectId,
      actorId: null,
      id,
    });
    await publishWithoutOutbox(await messaging, 'notifications', row);
  };
  return {
    publish,
    publishInBackground: (change) =>
      void publish(change).catch((error) => log.warn({ err: error }, 'Failed to publish notification changes')),
  };
}
