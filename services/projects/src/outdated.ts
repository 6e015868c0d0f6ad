import type { RetentionRule } from '@atrium/service-kit/postgres/housekeeping';

/** A decision can be sent again from the closed meeting for as long as anybody works with it: a year, and a month of events. */
export const OUTDATED: readonly RetentionRule[] = [['decision_tasks', `updated_at < now() - interval '396 days'`]];
