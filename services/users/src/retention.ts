import type { RetentionRule } from '@atrium/service-kit/postgres/housekeeping';

/** Streams deliver nothing older than 30 days, so these rows need not outlive them to reject late events. */
export const RETENTION_RULES: readonly RetentionRule[] = [
  ['task_standings', `gone and gone_at < now() - interval '31 days'`],
  ['gone_projects', `gone_at < now() - interval '31 days'`],
];
