import type { Caller } from '@atrium/service-kit/http/authenticate';
import { canWorkOnTasks, type TaskScope } from '../projects/policy.ts';

/** Task and comment permissions. Pure: no I/O, no state. */

type TaskOwners = { assignedTo: string | null; created_by: string };

const UPDATE_DENIED = 'Only project members can edit its tasks';
const OWN_TASK_ONLY = 'You can change only the status and the progress of this task';
const COMMENT_DENIED = 'Only project members can comment on its tasks';
const DELETE_DENIED = 'Only its creator, the project manager, and administrators can delete this task';
export const DELETE_COMMENT_DENIED = 'Only its author and administrators can delete this comment';

export const canDeleteComment = (caller: Caller, comment: { author_id: string }) =>
  caller.role === 'admin' || comment.author_id === caller.userId;

/** The reason for each denied ability, undefined for those allowed. */
export function getDenialReasons(caller: Caller, task: TaskScope & TaskOwners) {
  const canWork = canWorkOnTasks(caller, task);
  const isOwn = task.assignedTo === caller.userId;
  const canDelete = caller.role === 'admin' || task.created_by === caller.userId || task.manager_id === caller.userId;
  return {
    update: canWork ? undefined : isOwn ? OWN_TASK_ONLY : UPDATE_DENIED,
    updateStatus: canWork || isOwn ? undefined : UPDATE_DENIED,
    comment: canWork ? undefined : COMMENT_DENIED,
    delete: canDelete ? undefined : DELETE_DENIED,
  };
}
