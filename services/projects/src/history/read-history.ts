import type { RequestOf, ResultOf } from '@atrium/proto-events/endpoint';
import {
  DEFAULT_HISTORY_DAYS,
  type getProjectHistory,
  type ProjectSnapshot,
} from '@atrium/proto-events/http/project-history';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { projectExists } from '../projects/project-repository.ts';

type Query = RequestOf<typeof getProjectHistory>['query'];
type Period = Required<Query>;

/** Returns the history of a project, which is visible to every user who can see the project. */
export async function readHistory(
  { db }: Deps,
  id: string,
  { from = defaultStart(), timezone }: Query,
): Promise<ResultOf<typeof getProjectHistory>> {
  const [exists, snapshots, completions, undatedCompletions] = await Promise.all([
    projectExists(db, id),
    listSnapshots(db, id, from),
    listCompletions(db, id, { from, timezone }),
    countUndatedCompletions(db, id),
  ]);
  if (!exists) throw notFound('Project');
  return { snapshots, completions, undatedCompletions };
}

const DAY_MS = 24 * 60 * 60 * 1000;
const defaultStart = () => new Date(Date.now() - DEFAULT_HISTORY_DAYS * DAY_MS).toISOString();

type SnapshotRow = Pick<ProjectSnapshot, 'day' | 'status' | 'progress'> & {
  recorded_at: Date;
  todo: number;
  in_progress: number;
  review: number;
  done: number;
};

/** One per recorded day: a day without changes has no row of its own. */
export async function listSnapshots(db: Queryable, projectId: string, from: string): Promise<ProjectSnapshot[]> {
  const { rows } = await db.query<SnapshotRow>({
    name: 'list-snapshots',
    text: `select d.day::text as day, d.recorded_at, s.status, s.progress, s.todo, s.in_progress, s.review, s.done
           from snapshot_days d cross join lateral (
             select * from project_snapshots s where s.project_id = $1 and s.day <= d.day order by s.day desc limit 1
           ) as s
           where d.recorded_at >= $2 order by d.day`,
    values: [projectId, from],
  });
  return rows.map(({ day, recorded_at, status, progress, ...counts }) => ({
    day,
    recordedAt: recorded_at.toISOString(),
    status,
    progress,
    tasks: { todo: counts.todo, inProgress: counts.in_progress, review: counts.review, done: counts.done },
  }));
}

type Completions = ResultOf<typeof getProjectHistory>['completions'];

async function listCompletions(db: Queryable, projectId: string, { from, timezone }: Period): Promise<Completions> {
  const { rows } = await db.query<Completions[number]>({
    name: 'list-completions',
    text: `select (completed_at at time zone $3)::date::text as day, count(*)
           from tasks where project_id = $1 and completed_at >= $2 group by 1 order by 1`,
    values: [projectId, from, timezone],
  });
  return rows;
}

async function countUndatedCompletions(db: Queryable, projectId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count-undated-completions',
    text: `select count(*) from tasks where project_id = $1 and status = 'done' and completed_at is null`,
    values: [projectId],
  });
  return rows[0]?.count ?? 0;
}
