import type { EventOf } from '@atrium/proto-events/event';
import type { decisionMade } from '@atrium/proto-events/events/meeting-closing';
import { decisionResolved } from '@atrium/proto-events/events/projects';
import { isActive } from '@atrium/service-kit/directory/active-users';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { findTask, type TaskRow } from '../tasks/task-repository.ts';
import { addTask } from '../tasks/write-tasks.ts';

type Decision = EventOf<typeof decisionMade>['data'];

const CREATOR_DENIED = 'The person who closed the meeting can no longer create tasks';

/**
 * Creates the task with the permissions of the user who closed the meeting, or records why it was rejected, and
 * reports the outcome. A decision that already has a task gets no second one.
 */
export const createTaskFromDecision =
  ({ directory }: Pick<Deps, 'directory'>) =>
  async ({ data }: EventOf<typeof decisionMade>, tx: Queryable): Promise<void> => {
    const decisionRow = await lockDecisionRow(tx, data.decisionId);
    if (decisionRow.attempt >= data.attempt) return;
    const existingTask =
      decisionRow.task_id === null ? undefined : await findTask(tx, decisionRow.task_id, data.madeBy);
    const taskOrRejection = existingTask ?? (await tryCreateTask(tx, directory, data));
    const task = typeof taskOrRejection === 'string' ? undefined : taskOrRejection;
    await recordOutcome(tx, { decision_id: data.decisionId, attempt: data.attempt, task_id: task?.id ?? null });
    await appendEvent(tx, {
      event: decisionResolved,
      data: { ...toOutcome(data, task), reason: typeof taskOrRejection === 'string' ? taskOrRejection : null },
      // The same aggregate as that of the task's events keeps them in order.
      aggregate: task?.id ?? data.decisionId,
      actorId: data.madeBy,
    });
  };

const toOutcome = ({ decisionId, attempt, meetingId, project }: Decision, task: TaskRow | undefined) => ({
  decisionId,
  attempt,
  meetingId,
  projectId: task?.project_id ?? project,
  outcome: task ? ('made' as const) : ('rejected' as const),
  taskId: task?.id ?? null,
  status: task?.status ?? null,
  version: task?.version ?? 0,
});

/** Returns the task, or the error message of an equivalent API call. */
async function tryCreateTask(tx: Queryable, directory: Deps['directory'], data: Decision): Promise<TaskRow | string> {
  const creator = directory.user(data.madeBy);
  if (!creator || !isActive(creator)) return CREATOR_DENIED;
  const caller: Caller = { userId: creator._id, role: creator.role, sessionId: '' };
  try {
    return await addTask(tx, directory, caller, {
      title: data.text,
      description: '',
      project: data.project,
      status: 'todo',
      priority: 'medium',
      assignedTo: data.assignedTo,
      startDate: null,
      dueDate: data.dueDate,
      origin: null,
    });
  } catch (error) {
    // These errors are thrown before the first write.
    if (error instanceof AppError && error.status < 500) return error.message;
    throw error;
  }
}

type DecisionRow = { decision_id: string; attempt: number; task_id: string | null };

/**
 * Inserts the row if missing and locks it until the transaction ends. Attempt 0 means that no outcome was recorded
 * yet.
 */
async function lockDecisionRow(tx: Queryable, decisionId: string): Promise<DecisionRow> {
  await tx.query('insert into decision_tasks (decision_id, attempt) values ($1, 0) on conflict do nothing', [
    decisionId,
  ]);
  const { rows } = await tx.query<DecisionRow>(
    'select decision_id, attempt, task_id from decision_tasks where decision_id = $1 for update',
    [decisionId],
  );
  const [row] = rows;
  if (!row) throw new Error('Decision not found after insert');
  return row;
}

async function recordOutcome(tx: Queryable, { decision_id, attempt, task_id }: DecisionRow): Promise<void> {
  await tx.query('update decision_tasks set attempt = $2, task_id = $3, updated_at = now() where decision_id = $1', [
    decision_id,
    attempt,
    task_id,
  ]);
}
