import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Store } from '../store/store.ts';
import type { Claims } from './claims.ts';
import type { EmailSettings } from './compose-email.ts';
import type { EmailMetrics } from './email-metrics.ts';
import type { Mailer } from './mailer.ts';

export type DeliveryDeps = {
  store: Store;
  claims: Claims;
  directory: Directory;
  mailer: Mailer;
  settings: EmailSettings;
  log: Logger;
  metrics: EmailMetrics;
  /** Called for each email whose outcome is to be published. */
  onSettled: () => void;
  signal: AbortSignal;
};
