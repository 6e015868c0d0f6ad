import type { EventOf } from '@atrium/proto-events/event';
import type { decisionMade } from '@atrium/proto-events/events/meeting-closing';
import { decisionAnswered } from '@atrium/proto-events/events/project-decisions';
import { isActive } from '@atrium/service-kit/directory/active-users';
import { AppError } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { addTask } from '../tasks/add-task.ts';
import { findTask, type TaskRow } from '../tasks/task-repository.ts';
import { lockDecisionRow, noteAnswer } from './decision-repository.ts';

type Decision = EventOf<typeof decisionMade>['data'];

export const MAKER_GONE = 'Who closed the meeting cannot create tasks any more';

/**
 * Makes the task of a decision as if who closed the meeting had asked for it by a call, or tells why not. Once for each decision: one that has its
 * task gets no other, whatever is asked again.
 */
export const makeTaskOfDecision =
  ({ directory }: Pick<Deps, 'directory'>) =>
  async ({ data }: EventOf<typeof decisionMade>, tx: Queryable): Promise<void> => {
    const known = await lockDecisionRow(tx, data.decisionId);
    if (known.attempt >= data.attempt) return;
    const there = known.task_id === null ? undefined : await findTask(tx, known.task_id, data.madeBy);
    const made = there ?? (await make(tx, directory, data));
    const task = typeof made === 'string' ? undefined : made;
    await noteAnswer(tx, { decision_id: data.decisionId, attempt: data.attempt, task_id: task?.id ?? null });
    await appendEvent(tx, {
      event: decisionAnswered,
      data: { ...answerOf(data, task), reason: typeof made === 'string' ? made : null },
      // With the task's own events, in their order.
      aggregate: task?.id ?? data.decisionId,
      actorId: data.madeBy,
    });
  };

const answerOf = ({ decisionId, attempt, meetingId, project }: Decision, task: TaskRow | undefined) => ({
  decisionId,
  attempt,
  meetingId,
  projectId: task?.project_id ?? project,
  outcome: task ? ('made' as const) : ('refused' as const),
  taskId: task?.id ?? null,
  status: task?.status ?? null,
  version: task?.version ?? 0,
});

/** The task, or the sentence that a call would have been refused with. */
async function make(tx: Queryable, directory: Deps['directory'], data: Decision): Promise<TaskRow | string> {
  const maker = directory.user(data.madeBy);
  if (!maker || !isActive(maker)) return MAKER_GONE;
  const caller: Caller = { userId: maker._id, role: maker.role, sessionId: '' };
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
    });
  } catch (error) {
    // All of these are thrown before anything is written.
    if (error instanceof AppError && error.status < 500) return error.message;
    throw error;
  }
}
