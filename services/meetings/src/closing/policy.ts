import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { canEdit } from '../model/policy.ts';
import type { DecisionRow } from './closing-repository.ts';

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

/** Whether the decision has a task or has requested one. It is then done when its task is done. */
export const isTrackedAsTask = ({ state }: Pick<DecisionRow, 'state'>) => state === 'task' || state === 'requested';

export const decisionAbilities = (caller: Caller, row: DecisionRow) => ({
  settle: !isTrackedAsTask(row) && canSettle(caller, row),
  tryAgain: !isTrackedAsTask(row) && !row.done && row.project_id !== null && canRetry(caller),
});
