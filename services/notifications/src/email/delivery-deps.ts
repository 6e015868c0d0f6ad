import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Store } from '../store/store.ts';
import type { Claims } from './claims.ts';
import type { MailSetting } from './compose-mail.ts';
import type { MailMetrics } from './mail-metrics.ts';
import type { Mailer } from './mailer.ts';

export type DeliveryDeps = {
  store: Store;
  claims: Claims;
  directory: Directory;
  mailer: Mailer;
  setting: MailSetting;
  log: Logger;
  metrics: MailMetrics;
  /** Called for every email whose outcome is to be published. */
  onSettled: () => void;
  signal: AbortSignal;
};
