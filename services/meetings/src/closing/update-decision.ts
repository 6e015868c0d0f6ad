import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { updateDecision as contract, Decision } from '@atrium/proto-events/http/after-meeting/closing';
import { AppError, notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { assertVisible } from '../meetings/assert-visible.ts';
import { findMeeting, lockMeetingOnly } from '../meetings/meeting-repository.ts';
import { askForTask, requireAssignees } from './close-meeting.ts';
import { changeDecision, type DecisionRow, findDecision } from './decision-repository.ts';
import { DECISION_REFUSED, IS_A_TASK, isForTask, maySettle, mayTryAgain, NO_PROJECT, RETRY_REFUSED } from './policy.ts';
import { presentDecision } from './present-closing.ts';
import { publishContentChanged } from './publish-content-changed.ts';

type Body = RequestOf<typeof contract>['body'];
type Request = { id: string; decisionId: string; body: Body };

/** Settles a decision that is no task, or asks its project for one again. What is so already stays as it is. */
export async function updateDecision(
  { db, directory }: Deps,
  caller: Caller,
  { id, decisionId, body }: Request,
): Promise<Decision> {
  return db.transaction(async (tx) => {
    await lockMeetingOnly(tx, id);
    assertVisible(caller, await findMeeting(tx, id));
    const row = await findDecision(tx, decisionId, id);
    if (!row) throw notFound('Decision');
    if (body.tryAgain) requireAssignees(directory, [body]);
    const isChanged = body.tryAgain ? await tryAgain(tx, caller, row, body) : await settle(tx, caller, row, body.done);
    if (!isChanged) return presentDecision(directory, caller, row);
    await publishContentChanged(tx, id, { changed: ['decisions'], actorId: caller.userId });
    return presentDecision(directory, caller, (await findDecision(tx, decisionId, id)) ?? row);
  });
}

async function settle(tx: Queryable, caller: Caller, row: DecisionRow, done: boolean | undefined): Promise<boolean> {
  if (!maySettle(caller, row)) throw new AppError('forbidden', DECISION_REFUSED);
  if (isForTask(row)) throw new AppError('conflict', IS_A_TASK);
  if (done === undefined || done === row.done) return false;
  await changeDecision(tx, row.id, { done });
  return true;
}

/** A second press finds the decision under way and asks nobody twice. */
async function tryAgain(tx: Queryable, caller: Caller, row: DecisionRow, body: Body): Promise<boolean> {
  if (!mayTryAgain(caller)) throw new AppError('forbidden', RETRY_REFUSED);
  if (row.project_id === null) throw new AppError('conflict', NO_PROJECT);
  if (isForTask(row) || row.done) return false;
  const due = body.dueDate === undefined ? (row.due_date?.toISOString() ?? null) : body.dueDate;
  const asked = {
    state: 'sent' as const,
    attempt: row.attempt + 1,
    assigned_to: body.assignedTo === undefined ? row.assigned_to : body.assignedTo,
    due_date: due,
    task_id: null,
    task_status: null,
    task_version: 0,
    refusal: null,
  };
  await changeDecision(tx, row.id, asked);
  await askForTask(tx, row.meeting_id, { ...row, ...asked }, caller.userId);
  return true;
}
