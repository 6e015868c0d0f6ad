import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { listIds, lockMeetingWithoutSeries } from '../model/meeting-repository.ts';

export type ClosingRow = {
  id: string;
  closed_by: string;
  closed_at: Date;
  project_id: string | null;
  post: 'none' | 'requested' | 'posted' | 'rejected';
  conversation_id: string | null;
  seq: number | null;
  rejection: string | null;
};

export async function findClosing(db: Queryable, meetingId: string): Promise<ClosingRow | undefined> {
  const { rows } = await db.query<ClosingRow>({
    name: 'find-closing',
    text: 'select id, closed_by, closed_at, post, conversation_id, seq, rejection, project_id from closings where meeting_id = $1',
    values: [meetingId],
  });
  return rows[0];
}

export async function insertClosing(
  tx: Queryable,
  meetingId: string,
  closing: Pick<ClosingRow, 'id' | 'closed_by' | 'project_id' | 'post' | 'rejection'>,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into closings (id, meeting_id, closed_by, project_id, post, rejection) values ($1, $2, $3, $4, $5, $6)
     on conflict (meeting_id) do nothing`,
    [closing.id, meetingId, closing.closed_by, closing.project_id, closing.post, closing.rejection],
  );
  return rowCount === 1;
}

/** Records the post or why there is none. Returns false if the closing awaits no post or no longer exists. */
export async function recordPost(
  tx: Queryable,
  closingId: string,
  outcome: Pick<ClosingRow, 'conversation_id' | 'seq' | 'rejection'> & { post: 'posted' | 'rejected' },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update closings set post = $2, conversation_id = $3, seq = $4, rejection = $5 where id = $1 and post = 'requested'`,
    [closingId, outcome.post, outcome.conversation_id, outcome.seq, outcome.rejection],
  );
  return rowCount === 1;
}

export async function deleteClosing(tx: Queryable, id: string): Promise<void> {
  await tx.query('delete from closings where id = $1', [id]);
}

type DecisionState = 'standalone' | 'requested' | 'task' | 'rejected' | 'task-deleted';

export type DecisionRow = {
  id: string;
  meeting_id: string;
  position: number;
  text: string;
  assigned_to: string | null;
  due_date: Date | null;
  project_id: string | null;
  state: DecisionState;
  attempt: number;
  task_id: string | null;
  task_status: string | null;
  task_version: number;
  rejection: string | null;
  done: boolean;
  title: string;
  starts_at: Date;
};

/** Lists the columns explicitly, because a prepared `select *` fails once a migration adds a column. */
const COLUMNS = `d.id, d.meeting_id, d.position, d.text, d.assigned_to, d.due_date, d.project_id, d.state, d.attempt, d.task_id,
  d.task_status, d.task_version, d.rejection, d.done, m.title, m.starts_at`;

export type NewDecision = Pick<
  DecisionRow,
  'id' | 'text' | 'assigned_to' | 'project_id' | 'state' | 'attempt' | 'position'
> & { due_date: string | null };

export async function insertDecisions(
  tx: Queryable,
  meetingId: string,
  decisions: readonly NewDecision[],
): Promise<void> {
  for (const { id, position, text, assigned_to, due_date, project_id, state, attempt } of decisions)
    await tx.query(
      `insert into decisions (id, meeting_id, position, text, assigned_to, due_date, project_id, state, attempt)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [id, meetingId, position, text, assigned_to, due_date, project_id, state, attempt],
    );
}

export async function listDecisions(db: Queryable, meetingId: string): Promise<DecisionRow[]> {
  const { rows } = await db.query<DecisionRow>({
    name: 'decisions-of-meeting',
    text: `select ${COLUMNS} from decisions d join meetings m on m.id = d.meeting_id where d.meeting_id = $1 order by d.position`,
    values: [meetingId],
  });
  return rows;
}

export async function findDecision(tx: Queryable, id: string, meetingId: string): Promise<DecisionRow | undefined> {
  const { rows } = await tx.query<DecisionRow>(
    `select ${COLUMNS} from decisions d join meetings m on m.id = d.meeting_id
     where d.id = $1 and d.meeting_id = $2 for update of d`,
    [id, meetingId],
  );
  return rows[0];
}

type Change = Partial<
  Pick<
    DecisionRow,
    'state' | 'attempt' | 'assigned_to' | 'task_id' | 'task_status' | 'task_version' | 'rejection' | 'done'
  > & {
    due_date: string | null;
  }
>;

export async function updateDecisionRow(tx: Queryable, id: string, change: Change): Promise<void> {
  const sets = Object.keys(change).map((column, index) => `${column} = $${index + 2}`);
  await tx.query(`update decisions set ${sets.join(', ')} where id = $1`, [id, ...Object.values(change)]);
}

type OpenDecisionFilter = { userId: string | undefined; project: string | undefined };

/** Selects open decisions of the meetings the user is invited to, or of all meetings if no user is given. */
const FROM_OPEN_DECISIONS = `from decisions d join meetings m on m.id = d.meeting_id
  where not d.done and ($2::text is null or d.project_id = $2)
    and ($1::text is null or exists (select from participants p where p.meeting_id = d.meeting_id and p.user_id = $1))`;

export async function listOpenDecisionRows(
  db: Queryable,
  { userId, project }: OpenDecisionFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: DecisionRow[]; total: number }> {
  const values = [userId ?? null, project ?? null];
  const [page, count] = await Promise.all([
    db.query<DecisionRow>({
      name: 'open-decisions',
      text: `select ${COLUMNS} ${FROM_OPEN_DECISIONS} order by m.starts_at desc, d.meeting_id, d.position limit $3 offset $4`,
      values: [...values, limit, offset],
    }),
    db.query<{ total: number }>({
      name: 'count-open-decisions',
      text: `select count(*)::int as total ${FROM_OPEN_DECISIONS}`,
      values,
    }),
  ]);
  return { rows: page.rows, total: count.rows[0]?.total ?? 0 };
}

type TaskDecision = Pick<DecisionRow, 'id' | 'meeting_id' | 'task_status' | 'task_version'>;

/** Locks the meeting of the task's decision. Returns undefined for most tasks, which belong to no decision. */
export async function lockDecisionOfTask(tx: Queryable, taskId: string): Promise<TaskDecision | undefined> {
  const find = () =>
    tx.query<TaskDecision>({
      name: 'decision-of-task',
      text: `select id, meeting_id, task_status, task_version from decisions where task_id = $1 and state = 'task'`,
      values: [taskId],
    });
  const [decision] = (await find()).rows;
  if (!decision) return undefined;
  await lockMeetingWithoutSeries(tx, decision.meeting_id);
  return (await find()).rows[0];
}

/** Includes decisions whose task is not reported yet. Locks the meetings and returns their ids. */
export async function markProjectTasksDeleted(tx: Queryable, projectId: string): Promise<string[]> {
  const meetingIds = await listIds(
    tx,
    `select m.id from meetings m
     where exists (select from decisions d where d.meeting_id = m.id and d.project_id = $1 and d.state in ('task', 'requested'))
     order by m.id for update`,
    [projectId],
  );
  await tx.query(
    `update decisions set state = 'task-deleted' where project_id = $1 and state in ('task', 'requested')`,
    [projectId],
  );
  return meetingIds;
}
