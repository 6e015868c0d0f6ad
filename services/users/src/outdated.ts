import type { RetentionRule } from '@atrium/service-kit/postgres/housekeeping';

/** What keeps late events of deleted tasks and projects from bringing them back: no stream delivers anything older than 30 days. */
export const OUTDATED: readonly RetentionRule[] = [
  ['task_standings', `gone and gone_at < now() - interval '31 days'`],
  ['gone_projects', `gone_at < now() - interval '31 days'`],
];
