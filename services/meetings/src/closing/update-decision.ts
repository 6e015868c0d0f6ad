import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { updateDecision as contract, Decision } from '@atrium/proto-events/http/meetings/closing';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { recordContentChange } from '../events/append-meeting-events.ts';
import { findMeeting, lockMeetingWithoutSeries } from '../model/meeting-repository.ts';
import { assertVisible } from '../model/policy.ts';
import { assertActiveAssignees, requestTask } from './close-meeting.ts';
import { type DecisionRow, findDecision, updateDecisionRow } from './closing-repository.ts';
import { canRetry, canSettle, isTrackedAsTask } from './policy.ts';
import { presentDecision } from './read-closing.ts';

type Body = RequestOf<typeof contract>['body'];
type Request = { id: string; decisionId: string; body: Body };

export async function updateDecision(
  { db, directory }: Deps,
  caller: Caller,
  { id, decisionId, body }: Request,
): Promise<Decision> {
  return db.transaction(async (tx) => {
    await lockMeetingWithoutSeries(tx, id);
    assertVisible(caller, await findMeeting(tx, id));
    const row = await findDecision(tx, decisionId, id);
    if (!row) throw notFound('Decision');
    if (body.tryAgain) assertActiveAssignees(directory, [body]);
    const isChanged = body.tryAgain
      ? await retryDecision(tx, caller, row, body)
      : await settleDecision(tx, caller, row, body.done);
    if (!isChanged) return presentDecision(directory, caller, row);
    await recordContentChange(tx, id, { changed: ['decisions'], actorId: caller.userId });
    return presentDecision(directory, caller, (await findDecision(tx, decisionId, id)) ?? row);
  });
}

async function settleDecision(
  tx: Queryable,
  caller: Caller,
  row: DecisionRow,
  done: boolean | undefined,
): Promise<boolean> {
  if (!canSettle(caller, row))
    throw new AppError('forbidden', 'Only Admin, Project Manager, and the assignee can change a decision');
  if (isTrackedAsTask(row))
    throw new AppError('conflict', 'This decision is a task of its project. Please change the task.');
  if (done === undefined || done === row.done) return false;
  await updateDecisionRow(tx, row.id, { done });
  return true;
}

/** Idempotent: a decision already requested is not requested twice. */
async function retryDecision(tx: Queryable, caller: Caller, row: DecisionRow, body: Body): Promise<boolean> {
  if (!canRetry(caller)) throw new AppError('forbidden', 'Only Admin and Project Manager can request the task again');
  if (row.project_id === null) throw new AppError('conflict', 'This meeting belonged to no project when it was closed');
  if (isTrackedAsTask(row) || row.done) return false;
  const request = {
    state: 'requested' as const,
    attempt: row.attempt + 1,
    assigned_to: body.assignedTo === undefined ? row.assigned_to : body.assignedTo,
    due_date: body.dueDate === undefined ? (row.due_date?.toISOString() ?? null) : body.dueDate,
    task_id: null,
    task_status: null,
    task_version: 0,
    rejection: null,
  };
  await updateDecisionRow(tx, row.id, request);
  await requestTask(tx, row.meeting_id, { ...row, ...request }, caller.userId);
  return true;
}
