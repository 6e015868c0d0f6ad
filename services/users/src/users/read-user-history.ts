import type { RequestOf, ResultOf } from '@atrium/proto-events/endpoint';
import type { getUserHistory as contract } from '@atrium/proto-events/http/users';
import type { Deps } from '../deps.ts';

type History = ResultOf<typeof contract>;

/** The status is the current one, because earlier ones are not stored. Excludes deleted users. */
export async function getUserHistory(
  { db }: Deps,
  { timezone }: RequestOf<typeof contract>['query'],
): Promise<History> {
  const { rows: days } = await db.query<History['days'][number]>({
    name: 'list-user-history',
    text: `select (join_date at time zone $1)::date::text as day,
                  count(*) filter (where status = 'active') as active,
                  count(*) filter (where status = 'inactive' and invited) as invited,
                  count(*) filter (where status = 'inactive' and not invited) as inactive
           from users where deleted_at is null group by 1 order by 1`,
    values: [timezone],
  });
  return { days };
}
