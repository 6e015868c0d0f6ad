import type { Caller } from '@atrium/service-kit/http/authenticate';
import { omitAllowed } from '../omit-allowed.ts';
import { canWorkOnTasks, type TaskScope } from '../projects/membership.ts';

/** Task and comment permissions. Pure: no I/O, no state. */

type Assigned = { assignedTo: string | null; created_by: string };

const UPDATE_DENIED = 'Only project members can edit its tasks';
const OWN_TASK_ONLY = 'You can change only the status and the progress of this task';
const COMMENT_DENIED = 'Only project members can comment on its tasks';
const DELETE_DENIED = 'Only its creator, the project manager, and administrators can delete this task';
export const DELETE_COMMENT_DENIED = 'Only its author and administrators can delete this comment';

export const canDeleteComment = (caller: Caller, comment: { author_id: string }) =>
  caller.role === 'admin' || comment.author_id === caller.userId;

/** Denied abilities with their messages; allowed ones are absent. */
export function getDenialReasons(caller: Caller, task: TaskScope & Assigned) {
  const canWork = canWorkOnTasks(caller, task);
  const isOwn = task.assignedTo === caller.userId;
  const canDelete = caller.role === 'admin' || task.created_by === caller.userId || task.manager_id === caller.userId;
  return omitAllowed({
    update: canWork ? undefined : isOwn ? OWN_TASK_ONLY : UPDATE_DENIED,
    updateStatus: canWork || isOwn ? undefined : UPDATE_DENIED,
    comment: canWork ? undefined : COMMENT_DENIED,
    delete: canDelete ? undefined : DELETE_DENIED,
  });
}

export function abilities(denials: ReturnType<typeof getDenialReasons>) {
  return {
    update: denials.update === undefined,
    updateStatus: denials.updateStatus === undefined,
    comment: denials.comment === undefined,
    delete: denials.delete === undefined,
  };
}
