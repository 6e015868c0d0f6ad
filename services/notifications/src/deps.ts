import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Mailing } from './email/queue-emails.ts';
import type { NotificationPublisher } from './notifications/notification-publisher.ts';
import type { VisitRecorder } from './notifications/visits.ts';
import type { PushSettings } from './push/push-settings.ts';
import type { Store } from './store/store.ts';

export type Deps = {
  store: Store;
  directory: Directory;
  notificationPublisher: NotificationPublisher;
  recordVisit: VisitRecorder['record'];
  queueEmails: (mailing: Mailing) => Promise<void>;
  senderAddress: string;
  pushSettings: PushSettings;
};
