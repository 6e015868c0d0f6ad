import type { RequestOf } from '@atrium/proto-events/endpoint';
import type {
  listComments as listCommentsContract,
  listProjectTasks as ofProject,
  getTaskStats as statsContract,
} from '@atrium/proto-events/http/tasks';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import { findPage } from '@atrium/service-kit/postgres/find-page';
import type { Deps } from '../deps.ts';
import { localDateOf } from '../local-date.ts';
import { projectExists } from '../projects/project-repository.ts';
import { listCommentRows } from './comment-repository.ts';
import { presentComment, presentTask } from './present-task.ts';
import { type TaskFilter, taskList } from './task-lists.ts';
import { findTask, readTasks } from './task-repository.ts';
import { countTasks } from './task-stats.ts';

/** Comments included in a task; the others are paginated. */
const LATEST_COMMENTS = 50;

type Query = TaskFilter & { page: number; limit: number };

/** Visible to every signed-in user, like projects. */
export async function listTasks({ db, directory }: Deps, caller: Caller, query: Query) {
  const { ids, total, more } = await findPage(db, taskList(query), query);
  const rows = await readTasks(db, ids, caller.userId);
  return toPage(
    rows.map((row) => presentTask(directory, caller, row)),
    total,
    { ...query, more },
  );
}

export async function listProjectTasks(
  deps: Deps,
  caller: Caller,
  { projectId, query }: { projectId: string; query: RequestOf<typeof ofProject>['query'] },
) {
  const [exists, list] = await Promise.all([
    projectExists(deps.db, projectId),
    listTasks(deps, caller, { ...query, project: projectId }),
  ]);
  if (!exists) throw notFound('Project');
  return list;
}

export async function getTask({ db, directory }: Deps, caller: Caller, id: string) {
  const [row, comments] = await Promise.all([
    findTask(db, id, caller.userId),
    listCommentRows(db, id, { limit: LATEST_COMMENTS }),
  ]);
  if (!row) throw notFound('Task');
  return {
    ...presentTask(directory, caller, row),
    comments: comments.toReversed().map((comment) => presentComment(directory, caller, comment)),
  };
}

type CommentQuery = { id: string; query: RequestOf<typeof listCommentsContract>['query'] };

export async function listComments({ db, directory }: Deps, caller: Caller, { id, query }: CommentQuery) {
  const [task, rows] = await Promise.all([findTask(db, id, caller.userId), listCommentRows(db, id, toLimits(query))]);
  if (!task) throw notFound('Task');
  return toPage(
    rows.map((row) => presentComment(directory, caller, row)),
    task.comment_count,
    query,
  );
}

export const getTaskStats = (
  { db, directory }: Deps,
  caller: Caller,
  query: RequestOf<typeof statsContract>['query'],
) => countTasks(db, { ...query, today: localDateOf(directory, caller) });
