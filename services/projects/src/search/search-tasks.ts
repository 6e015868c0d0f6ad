import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { searchTasks as contract, FoundTask } from '@atrium/proto-events/http/search/projects';
import { containsTerms, markTerms, parseTextQuery, type TextQuery } from '@atrium/proto-events/text/text-query';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { createFilterNames } from '@atrium/service-kit/directory/find-by-names';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { createFilter } from '@atrium/service-kit/postgres/search-filters';
import { MATCH_LIMIT, searchTexts, type TextConditions } from '@atrium/service-kit/postgres/text-search';
import type { Deps } from '../deps.ts';

/** The title at the beginning of `search`. Must match the index `tasks_by_similar_title`. */
const TITLE = 'left(t.search, char_length(t.title) + 1)';

/** Of `from:`, the user who created the task. */
const COLUMNS = { user: 't.created_by', project: 't.project_id', time: 't.created_at' };

const NEWEST_FIRST = 'created_at desc, id desc';

type Options = { signal: AbortSignal };
type Query = RequestOf<typeof contract>['query'];
type Row = {
  id: string;
  title: string;
  description: string;
  status: FoundTask['status'];
  due_date: Date | null;
  assigned_to: string | null;
  project_id: string;
  project_name: string;
  /** The latest comment that matches. */
  comment: { id: string; comment: string } | null;
  n: number;
};

/** Searches tasks and their comments, which are visible to every signed-in user. */
export async function searchTasks(deps: Deps, caller: Caller, { q, limit, timezone, signal }: Query & Options) {
  const { db, directory } = deps;
  const query = parseTextQuery(q);
  const { rows, isSimilar, ...found } = await searchTexts<Row>(
    db,
    {
      query,
      filter: createFilter(query?.filters ?? [], COLUMNS, createFilterNames(deps, { userId: caller.userId, timezone })),
      largeTable: { name: 'tasks', newestFirst: NEWEST_FIRST },
      signal,
    },
    (conditions) => selectTasks(conditions, limit),
  );
  const data = query ? rows.map((row) => presentFound(directory, row, { query, isSimilar })) : [];
  return { data, ...found };
}

/** Comments are searched on their own, because an index serves a single table. */
function selectTasks({ matches, filters, from, rank, window, bind }: TextConditions, limit: number): string {
  return `with matched as materialized (
      select t.id, ${TITLE} as searched_title, t.created_at from ${from('tasks', 't')}
      where ((${matches('t.search', TITLE)}) or t.id = any(array(
        select c.task_id from task_comments c where ${matches('c.search')} ${MATCH_LIMIT}
      ))) and ${filters()} ${window(NEWEST_FIRST)}
    ), best as (
      select * from matched m order by ${rank('m.searched_title', 'm.created_at desc, m.id')} limit ${bind(limit)}
    )
    select t.id, t.title, t.description, t.status, t.due_date, t.assigned_to, t.project_id, p.name as project_name,
      (select json_build_object('id', c.id, 'comment', c.comment) from task_comments c
       where c.task_id = t.id and ${matches('c.search')} order by c.created_at desc, c.id desc limit 1) as comment,
      (select count(*) from matched) as n
    from best b join tasks t on t.id = b.id join projects p on p.id = t.project_id
    order by ${rank('b.searched_title', 'b.created_at desc, b.id')}`;
}

type Presented = { query: TextQuery; isSimilar: boolean };

function presentFound(directory: Directory, row: Row, { query, isSimilar }: Presented): FoundTask {
  const isTitleEnough = isSimilar || containsTerms(row.title, query);
  const isInTask = isTitleEnough || containsTerms(`${row.title} ${row.description}`, query);
  const comment = isInTask ? null : row.comment;
  return {
    _id: row.id,
    title: markTerms(row.title, query),
    snippet: isTitleEnough ? null : markTerms(comment?.comment ?? row.description, query),
    status: row.status,
    dueDate: row.due_date?.toISOString() ?? null,
    assignedTo: row.assigned_to === null ? null : directory.summary(row.assigned_to),
    project: { _id: row.project_id, name: row.project_name },
    comment: comment?.id ?? null,
  };
}
