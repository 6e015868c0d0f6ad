import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { canEdit } from '../model/policy.ts';
import type { DecisionRow } from './closing-repository.ts';

/** Permissions after a meeting, for users who can see it. Pure: no I/O, no state. */

export const CLOSE_DENIED = 'Only Admin and Project Manager can close meetings';
export const NOTES_DENIED = 'Only Admin and Project Manager can add notes';
export const DECISION_DENIED = 'Only Admin, Project Manager, and the assignee can change a decision';
export const RETRY_DENIED = 'Only Admin and Project Manager can request the task again';
export const NOT_STARTED = 'A meeting can be closed once it has started';
export const REOPEN_DENIED = 'Only Admin and the person who closed this meeting can reopen it';
export const NOT_CLOSED = 'This meeting is not closed';
export const TOO_LATE_TO_REOPEN = 'A meeting can be reopened within a day after it was closed';
export const POST_DENIED = 'Only project members can post a summary in the conversation of the project';
export const CLOSED = 'This meeting has been closed already';
export const IS_A_TASK = 'This decision is a task of its project. Please change the task.';
export const NO_PROJECT = 'This meeting belonged to no project when it was closed';

export const canClose = canEdit;
export const canWriteNotes = canEdit;

const REOPEN_WITHIN_MS = 86_400_000;

export const canReopen = (caller: Caller, { closed_by }: { closed_by: string }) =>
  caller.role === 'admin' || closed_by === caller.userId;

export const isReopenable = ({ closed_at }: { closed_at: Date }, now: Date) =>
  now.getTime() - closed_at.getTime() <= REOPEN_WITHIN_MS;

/** Whether the user belongs to the project or can see its conversation in their own right. */
export const isProjectMember = (project: DirectoryProject | undefined, userId: string) =>
  project !== undefined && !project.deleted && (project.managerId === userId || project.memberIds.includes(userId));

export const canRetry = canEdit;

export const canSettle = (caller: Caller, { assigned_to }: Pick<DecisionRow, 'assigned_to'>) =>
  canEdit(caller) || assigned_to === caller.userId;

/** A decision with a task, or one that is requested, is done when its task is. */
export const isForTask = ({ state }: Pick<DecisionRow, 'state'>) => state === 'task' || state === 'requested';

/** Clients offer exactly what the server allows. */
export const decisionAbilities = (caller: Caller, row: DecisionRow) => ({
  settle: !isForTask(row) && canSettle(caller, row),
  tryAgain: !isForTask(row) && !row.done && row.project_id !== null && canRetry(caller),
});
