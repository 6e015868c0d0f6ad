import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Mailing } from './email/queue-mails.ts';
import type { NotificationPublisher } from './notifications/notification-publisher.ts';
import type { Store } from './store/store.ts';

/** What handlers and use cases of this service work with. */
export type Deps = {
  store: Store;
  directory: Directory;
  /** Tells browsers whose notifications are others now. */
  listNews: NotificationPublisher;
  /** Puts mails into the outbox and wakes the sender. */
  queueMails: (mailing: Mailing) => Promise<void>;
  /** The plain address that mails come from. */
  mailAddress: string;
};
