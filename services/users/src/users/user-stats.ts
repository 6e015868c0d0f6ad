import type { getUserStats } from '@atrium/proto-events/http/users';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';

type Stats = z.input<(typeof getUserStats)['response']>;

/** Without deleted users. Months are in UTC. */
export async function countUsers(db: Queryable): Promise<Stats> {
  const { rows } = await db.query<Stats>({
    name: 'count-users-by-kind',
    text: `select count(*) as total,
                  count(*) filter (where role = 'admin') as admins,
                  count(*) filter (where role = 'project_manager') as "projectManagers",
                  count(*) filter (where role = 'member') as members,
                  count(*) filter (where status = 'active') as active,
                  count(*) filter (where status = 'inactive') as inactive,
                  count(*) filter (where join_date >= date_trunc('month', now(), 'UTC')) as "newThisMonth"
           from users where deleted_at is null`,
  });
  const [stats] = rows;
  if (!stats) throw new Error('User statistics query returned no row');
  return stats;
}
