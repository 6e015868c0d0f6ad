import type { RequestOf, ResultOf } from '@atrium/proto-events/endpoint';
import type { getWorkload } from '@atrium/proto-events/http/workload';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { bindConditions } from '@atrium/service-kit/postgres/find-page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { findProject } from '../projects/project-repository.ts';

type Query = RequestOf<typeof getWorkload>['query'];
type Counts = { overdue: number; weeks: number[]; later: number; undated: number };

/** Counts tasks, which are visible to every signed-in user. */
export async function readWorkload(
  { db, directory }: Deps,
  caller: Caller,
  { projectId, users, today = toDay(Date.now()), weekStart, weeks }: Query,
): Promise<ResultOf<typeof getWorkload>> {
  const first = startOfWeek(today, weekStart);
  const userIds = users ?? (projectId === undefined ? [caller.userId] : undefined);
  const [project, countsByUser] = await Promise.all([
    projectId === undefined ? undefined : findProject(db, projectId),
    countByWeek(db, { projectId, userIds, today, first, weeks }),
  ]);
  if (projectId !== undefined && !project) throw notFound('Project');
  const shownIds = userIds ?? [...new Set([...countsByUser.keys(), ...memberIds(project)])];
  const none = () => ({ overdue: 0, weeks: emptyWeeks(weeks), later: 0, undated: 0 });
  const rows = shownIds.map((id) => ({
    user: id === null ? null : directory.summary(id),
    ...(countsByUser.get(id) ?? none()),
  }));
  return {
    weeks: emptyWeeks(weeks).map((_, week) => toDay(Date.parse(first) + week * WEEK_MS)),
    data: userIds ? rows : rows.toSorted((a, b) => total(b) - total(a)),
  };
}

const memberIds = (project: { manager_id: string; member_ids: string[] } | undefined): string[] =>
  project ? [project.manager_id, ...project.member_ids] : [];

const total = ({ overdue, weeks, later, undated }: Counts): number =>
  weeks.reduce((sum, count) => sum + count, overdue + later + undated);

const DAY_MS = 24 * 60 * 60 * 1000;
const WEEK_MS = 7 * DAY_MS;

const toDay = (timestamp: number): string => new Date(timestamp).toISOString().slice(0, 10);

const WEEKDAYS = { sun: 0, mon: 1, sat: 6 };

function startOfWeek(day: string, weekStart: keyof typeof WEEKDAYS): string {
  const date = new Date(day);
  return toDay(date.getTime() - ((date.getUTCDay() - WEEKDAYS[weekStart] + 7) % 7) * DAY_MS);
}

const emptyWeeks = (weeks: number): number[] => Array.from({ length: weeks }, () => 0);

type Period = { today: string; first: string; weeks: number };
type Filter = Period & { projectId: string | undefined; userIds: string[] | undefined };
type Row = { user_id: string | null; week: number | null; count: number };

const OVERDUE = -1;

/** Due dates are stored as midnight UTC, so weeks have no change of clocks. Tasks without an assignee have the id null. */
export async function countByWeek(
  db: Queryable,
  { projectId, userIds, today, first, weeks }: Filter,
): Promise<Map<string | null, Counts>> {
  const { where, values } = bindConditions({
    'status = any(?)': ['todo', 'in-progress', 'review'],
    'project_id = ?': projectId,
    'assigned_to = any(?)': userIds,
  });
  const parameter = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const { rows } = await db.query<Row>(
    `select assigned_to as user_id,
            case when due_date is null then null
                 when due_date < ${parameter(`${today}T00:00:00Z`, 'timestamptz')} then ${OVERDUE}
                 else least(${parameter(weeks, 'int')},
                   floor(extract(epoch from due_date - ${parameter(`${first}T00:00:00Z`, 'timestamptz')}) / ${WEEK_MS / 1000})::int)
            end as week, count(*)
     from tasks where ${where} group by 1, 2`,
    values,
  );
  return sumByUser(rows, weeks);
}

function sumByUser(rows: readonly Row[], weeks: number): Map<string | null, Counts> {
  const byUser = new Map<string | null, Counts>();
  for (const { user_id, week, count } of rows) {
    const counts = byUser.get(user_id) ?? { overdue: 0, weeks: emptyWeeks(weeks), later: 0, undated: 0 };
    byUser.set(user_id, counts);
    if (week === null) counts.undated = count;
    else if (week === OVERDUE) counts.overdue = count;
    else if (week < weeks) counts.weeks[week] = count;
    else counts.later = count;
  }
  return byUser;
}
