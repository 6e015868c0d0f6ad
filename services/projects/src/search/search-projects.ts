import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { searchProjects as contract, FoundProject } from '@atrium/proto-events/http/search/projects';
import { containsTerms, markTerms, parseTextQuery } from '@atrium/proto-events/text/text-query';
import { createFilterNames } from '@atrium/service-kit/directory/find-by-names';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { createFilter } from '@atrium/service-kit/postgres/search-filters';
import { searchTexts } from '@atrium/service-kit/postgres/text-search';
import type { Deps } from '../deps.ts';

/** The name at the beginning of `search`. Must match the index `projects_by_similar_name`. */
const NAME = 'left(p.search, char_length(p.name) + 1)';

/** Of `from:`, the manager. */
const COLUMNS = { user: 'p.manager_id', time: 'p.created_at' };

type Options = { signal: AbortSignal };
type Query = RequestOf<typeof contract>['query'];
type Row = {
  id: string;
  name: string;
  description: string;
  status: FoundProject['status'];
  manager_id: string;
  n: number;
};

/** Searches projects, which are visible to every signed-in user. */
export async function searchProjects(deps: Deps, caller: Caller, { q, limit, timezone, signal }: Query & Options) {
  const { db, directory } = deps;
  const query = parseTextQuery(q);
  const time = query?.needles.length === 0 ? 'p.created_at' : 'p.updated_at';
  const { rows, isSimilar, ...found } = await searchTexts<Row>(
    db,
    {
      query,
      filter: createFilter(query?.filters ?? [], COLUMNS, createFilterNames(deps, { userId: caller.userId, timezone })),
      signal,
    },
    ({ matches, filters, rank, window, bind }) => `with matched as materialized (
        select p.id, ${NAME} as searched_name, ${time} as time from projects p where ${matches('p.search', NAME)} and ${filters()} ${window(`${time} desc, p.id desc`)}
      ), best as (
        select * from matched m order by ${rank('m.searched_name', 'm.time desc, m.id')} limit ${bind(limit)}
      )
      select p.id, p.name, p.description, p.status, p.manager_id, (select count(*) from matched) as n
      from best b join projects p on p.id = b.id order by ${rank('b.searched_name', 'b.time desc, b.id')}`,
  );
  if (!query) return { data: [], ...found };
  const data = rows.map(
    (row): FoundProject => ({
      _id: row.id,
      title: markTerms(row.name, query),
      snippet: isSimilar || containsTerms(row.name, query) ? null : markTerms(row.description, query),
      status: row.status,
      projectManager: directory.summary(row.manager_id),
    }),
  );
  return { data, ...found };
}
