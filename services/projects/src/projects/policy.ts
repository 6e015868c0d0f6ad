import type { Caller } from '@atrium/service-kit/http/authenticate';
import { onlyRefused } from '../refusals.ts';
import { createRefusal, isOfProject, taskScopeOf } from '../tasks/policy.ts';
import { COMPLETED_IS_FINAL } from './project-rules.ts';

/** Who may do what with projects (specification, section 6; decisions, section 4). Pure: no I/O, no state. */

type Managed = { manager_id: string; status: string };
type HasManager = { managerHasLeft: boolean };
type People = { manager_id: string; member_ids: string[] };

export const DELETE_REFUSED = "You don't have permission to delete this project.";
export const UPDATE_REFUSED = 'Only Admin and Project Manager can edit projects';
export const PROGRESS_REFUSED = 'Only Admin and Project Manager can update progress';
export const ADD_MEMBERS_REFUSED = 'Only administrators and project managers in this project can add people to it';
export const MANAGER_FIXED = 'Project Manager cannot be changed.';
export const CHANGE_MANAGER_REFUSED = 'Only administrators can assign a new project manager';

export const mayUpdate = (caller: Caller) => caller.role !== 'member';

export const mayDelete = (caller: Caller, project: Managed) =>
  caller.role === 'admin' || (caller.role === 'project_manager' && project.manager_id === caller.userId);

/**
 * A project's conversation and documents are open to its members, so a project manager outside it cannot add anyone: not themselves, and
 * not another user, who could add them in return.
 */
export function addMembersRefusal(caller: Caller, project: People): string | undefined {
  if (!mayUpdate(caller)) return UPDATE_REFUSED;
  return caller.role === 'admin' || isOfProject(caller.userId, project) ? undefined : ADD_MEMBERS_REFUSED;
}

/** The manager of a project is fixed until they leave the workspace. */
export function changeManagerRefusal(caller: Caller, project: HasManager): string | undefined {
  if (!project.managerHasLeft) return MANAGER_FIXED;
  return caller.role === 'admin' ? undefined : CHANGE_MANAGER_REFUSED;
}

/**
 * Why the caller may not do something with a project, in the words of the refusal; what is absent is allowed. The screen offers
 * never more than the server would do, and says the same. Progress moves in a status that takes it, which the same change may set.
 */
export function refusals(caller: Caller, project: Managed & People & HasManager) {
  return onlyRefused({
    update: updateRefusal(caller, project),
    updateProgress: progressRefusal(caller, project),
    delete: mayDelete(caller, project) ? undefined : DELETE_REFUSED,
    manageMembers: mayUpdate(caller) ? undefined : UPDATE_REFUSED,
    addMembers: addMembersRefusal(caller, project),
    changeManager: updateRefusal(caller, project) ?? changeManagerRefusal(caller, project),
    createTasks: createRefusal(caller, taskScopeOf(caller, project)),
  });
}

function updateRefusal(caller: Caller, { status }: Managed): string | undefined {
  if (!mayUpdate(caller)) return UPDATE_REFUSED;
  return status === 'completed' ? COMPLETED_IS_FINAL : undefined;
}

function progressRefusal(caller: Caller, { status }: Managed): string | undefined {
  if (!mayUpdate(caller)) return PROGRESS_REFUSED;
  return status === 'completed' ? COMPLETED_IS_FINAL : undefined;
}

/** The same as yes and no. */
export function abilities(refused: ReturnType<typeof refusals>) {
  return {
    update: refused.update === undefined,
    updateProgress: refused.updateProgress === undefined,
    delete: refused.delete === undefined,
    manageMembers: refused.manageMembers === undefined,
    addMembers: refused.addMembers === undefined,
    changeManager: refused.changeManager === undefined,
    createTasks: refused.createTasks === undefined,
  };
}
