import type { RetentionRule } from '@atrium/service-kit/postgres/housekeeping';

/** A decision can be requested again from the closed meeting: a year, and a month for events. */
export const RETENTION_RULES: readonly RetentionRule[] = [
  ['decision_tasks', `updated_at < now() - interval '396 days'`],
];
