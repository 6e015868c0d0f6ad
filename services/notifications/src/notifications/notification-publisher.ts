import { listChanged } from '@atrium/proto-events/events/notifications';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import { outboxRow } from '@atrium/service-kit/messaging/outbox';
import { publishWithoutOutbox } from '@atrium/service-kit/messaging/publish-without-outbox';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { newId } from '@atrium/service-kit/process/new-id';

type News = { personIds: string[]; about: string; id?: string };

/** Tells browsers whose list is another now: straight to JetStream, as this store has no outbox. */
export type NotificationPublisher = {
  /** Resolves once it is told; of the same id once, if it is told again within minutes. */
  tell(news: News): Promise<void>;
  /** The same for who does not wait for it. What is lost here, other tabs of theirs learn with the next. */
  hint(news: News): void;
};

export function createListNews(messaging: Promise<Messaging>, log: Logger): NotificationPublisher {
  const tell = async ({ personIds, about, id = newId() }: News) => {
    const row = outboxRow({ event: listChanged, data: { personIds, about }, aggregate: about, actorId: null, id });
    await publishWithoutOutbox(await messaging, 'notifications', row);
  };
  return {
    tell,
    hint: (news) => void tell(news).catch((error) => log.warn({ err: error }, 'browsers were not told what was read')),
  };
}
