import type { Caller } from '@atrium/service-kit/http/authenticate';
import { onlyRefused } from '../refusals.ts';

/** Who may do what with tasks and their comments (decisions, section 4). Pure: no I/O, no state. */

/** The project's manager, and whether the caller is in its team. */
export type TaskScope = { manager_id: string; in_team: boolean };
type Assigned = { assignedTo: string | null; created_by: string };
type People = { manager_id: string; member_ids: string[] };

const CREATE_REFUSED = 'Only people of the project can create its tasks';
const UPDATE_REFUSED = 'Only people of the project can edit its tasks';
const OWN_TASK_ONLY = 'You can change only the status and the progress of this task';
const COMMENT_REFUSED = 'Only people of the project can comment on its tasks';
const DELETE_REFUSED = 'Only its creator, the project manager and administrators can delete this task';
export const DELETE_COMMENT_REFUSED = 'Only its writer and administrators can delete this comment';

export const taskScopeOf = (caller: Caller, project: People): TaskScope => ({
  manager_id: project.manager_id,
  in_team: project.member_ids.includes(caller.userId),
});

/** The people of a project are its manager and its team members. */
export const isOfProject = (userId: string, project: People) =>
  project.manager_id === userId || project.member_ids.includes(userId);

/** The project's people, administrators and project managers. */
const worksHere = (caller: Caller, { manager_id, in_team }: TaskScope) =>
  caller.role !== 'member' || in_team || manager_id === caller.userId;

export const createRefusal = (caller: Caller, place: TaskScope) =>
  worksHere(caller, place) ? undefined : CREATE_REFUSED;

export const mayDeleteComment = (caller: Caller, comment: { author_id: string }) =>
  caller.role === 'admin' || comment.author_id === caller.userId;

/** Why the caller may not do something with a task, in the words of the refusal; what is absent is allowed. */
export function refusals(caller: Caller, task: TaskScope & Assigned) {
  const works = worksHere(caller, task);
  const isOwn = task.assignedTo === caller.userId;
  const deletes = caller.role === 'admin' || task.created_by === caller.userId || task.manager_id === caller.userId;
  return onlyRefused({
    update: works ? undefined : isOwn ? OWN_TASK_ONLY : UPDATE_REFUSED,
    updateStatus: works || isOwn ? undefined : UPDATE_REFUSED,
    comment: works ? undefined : COMMENT_REFUSED,
    delete: deletes ? undefined : DELETE_REFUSED,
  });
}

/** The same as yes and no. */
export function abilities(refused: ReturnType<typeof refusals>) {
  return {
    update: refused.update === undefined,
    updateStatus: refused.updateStatus === undefined,
    comment: refused.comment === undefined,
    delete: refused.delete === undefined,
  };
}
