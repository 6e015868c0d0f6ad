import type { Caller } from '@atrium/service-kit/http/authenticate';
import { omitAllowed } from '../omit-allowed.ts';
import { getCreateTasksDenial, isProjectMember } from './membership.ts';
import { COMPLETED_IS_FINAL } from './project-rules.ts';

/** Project permissions. Pure: no I/O, no state. */

type Managed = { manager_id: string; status: string };
type HasManager = { managerHasLeft: boolean };
type People = { manager_id: string; member_ids: string[] };

export const DELETE_DENIED = "You don't have permission to delete this project.";
export const UPDATE_DENIED = 'Only Admin and Project Manager can edit projects';
export const PROGRESS_DENIED = 'Only Admin and Project Manager can update progress';
export const ADD_MEMBERS_DENIED = 'Only administrators and project managers in this project can add people to it';
export const MANAGER_FIXED = 'Project Manager cannot be changed.';
export const CHANGE_MANAGER_DENIED = 'Only administrators can assign a new project manager';

export const canUpdate = (caller: Caller) => caller.role !== 'member';

export const canDelete = (caller: Caller, project: Managed) =>
  caller.role === 'admin' || (caller.role === 'project_manager' && project.manager_id === caller.userId);

/**
 * A project's conversation and documents are open to its members, so a project manager outside it cannot add anyone: not themselves, and
 * not another user, who could add them in return.
 */
export function getAddMembersDenial(caller: Caller, project: People): string | undefined {
  if (!canUpdate(caller)) return UPDATE_DENIED;
  return caller.role === 'admin' || isProjectMember(caller.userId, project) ? undefined : ADD_MEMBERS_DENIED;
}

/** The manager of a project is fixed until they leave the workspace. */
export function getChangeManagerDenial(caller: Caller, project: HasManager): string | undefined {
  if (!project.managerHasLeft) return MANAGER_FIXED;
  return caller.role === 'admin' ? undefined : CHANGE_MANAGER_DENIED;
}

/**
 * Denied abilities with their messages; allowed ones are absent. Clients show exactly these. Progress can be updated in a status set by the
 * same change.
 */
export function getDenialReasons(caller: Caller, project: Managed & People & HasManager) {
  return omitAllowed({
    update: getUpdateDenial(caller, project),
    updateProgress: getProgressDenial(caller, project),
    delete: canDelete(caller, project) ? undefined : DELETE_DENIED,
    manageMembers: canUpdate(caller) ? undefined : UPDATE_DENIED,
    addMembers: getAddMembersDenial(caller, project),
    changeManager: getUpdateDenial(caller, project) ?? getChangeManagerDenial(caller, project),
    createTasks: getCreateTasksDenial(caller, project),
  });
}

function getUpdateDenial(caller: Caller, { status }: Managed): string | undefined {
  if (!canUpdate(caller)) return UPDATE_DENIED;
  return status === 'completed' ? COMPLETED_IS_FINAL : undefined;
}

function getProgressDenial(caller: Caller, { status }: Managed): string | undefined {
  if (!canUpdate(caller)) return PROGRESS_DENIED;
  return status === 'completed' ? COMPLETED_IS_FINAL : undefined;
}

export function abilities(denials: ReturnType<typeof getDenialReasons>) {
  return {
    update: denials.update === undefined,
    updateProgress: denials.updateProgress === undefined,
    delete: denials.delete === undefined,
    manageMembers: denials.manageMembers === undefined,
    addMembers: denials.addMembers === undefined,
    changeManager: denials.changeManager === undefined,
    createTasks: denials.createTasks === undefined,
  };
}
