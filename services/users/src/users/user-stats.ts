import type { getUserStats } from '@atrium/proto-events/http/users';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';

type Stats = z.input<(typeof getUserStats)['response']>;

/** Without deleted users. Months are in UTC. */
export async function countUsers(db: Queryable): Promise<Stats> {
  const { rows } = await db.query<Stats>({
    name: 'count-users-by-kind',
    text: `select coalesce(sum(n), 0) as total,
                  coalesce(sum(n) filter (where role = 'admin'), 0) as admins,
                  coalesce(sum(n) filter (where role = 'project_manager'), 0) as "projectManagers",
                  coalesce(sum(n) filter (where role = 'member'), 0) as members,
                  coalesce(sum(n) filter (where status = 'active'), 0) as active,
                  coalesce(sum(n) filter (where status = 'inactive'), 0) as inactive,
                  (select count(*) from users
                   where deleted_at is null and join_date >= date_trunc('month', now(), 'UTC')) as "newThisMonth"
           from (select role, status, count(*)::int as n from users where deleted_at is null group by role, status) as counts`,
  });
  const [stats] = rows;
  if (!stats) throw new Error('User statistics query returned no row');
  return stats;
}
