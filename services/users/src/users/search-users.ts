import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { searchUsers as contract, FoundUser } from '@atrium/proto-events/http/search/users';
import { containsTerms, markTerms, parseTextQuery, type TextQuery } from '@atrium/proto-events/text/text-query';
import { searchTexts } from '@atrium/service-kit/postgres/text-search';
import type { Deps } from '../deps.ts';
import { presentSummary } from './present-user.ts';
import { findUsers, type UserRow } from './user-repository.ts';

/** Must match the index `users_by_similar_name`. */
const NAME = '(u.first_name_sort_key || u.last_name_sort_key)';

type Query = RequestOf<typeof contract>['query'];

/** Searches users, which are visible to every signed-in user. */
export async function searchUsers({ db }: Deps, { q, limit, signal }: Query & { signal: AbortSignal }) {
  const query = parseTextQuery(q);
  const { rows, isSimilar, ...found } = await searchTexts<{ id: string; n: number }>(
    db,
    { query, filter: query?.filters.length === 0 ? () => 'true' : undefined, signal },
    ({ matches, rank, window, bind }) => `with matched as materialized (
        select u.id, ${NAME} as name from users u where u.deleted_at is null and ${matches('u.search', NAME)} ${window('u.last_name_sort_key, u.first_name_sort_key, u.id')}
      )
      select id, (select count(*) from matched) as n from matched order by ${rank('name', 'name, id')} limit ${bind(limit)}`,
  );
  const users = await findUsers(
    db,
    rows.map(({ id }) => id),
  );
  return { data: query ? users.map((user) => presentFound(user, query)) : [], ...found };
}

function presentFound(row: UserRow, query: TextQuery): FoundUser {
  const name = `${row.first_name} ${row.last_name}`.trim();
  const isNameEnough = containsTerms(name, query) || !containsTerms(`${name} ${row.email}`, query);
  return {
    user: presentSummary(row),
    invited: row.invited,
    title: markTerms(name, query),
    snippet: isNameEnough ? null : markTerms(row.email, query),
  };
}
