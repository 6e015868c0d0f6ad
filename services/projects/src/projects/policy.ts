import type { updateProjectBody } from '@atrium/proto-events/http/projects';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { z } from 'zod';

type ManagedProject = { manager_id: string; status: string };
type ManagerPresence = { managerHasLeft: boolean };
type ProjectMembers = { manager_id: string; member_ids: string[] };

export const DELETE_DENIED = "You don't have permission to delete this project.";
export const UPDATE_DENIED = 'Only Admin and Project Manager can edit projects';
export const PROGRESS_DENIED = 'Only Admin and Project Manager can update progress';
const ADD_MEMBERS_DENIED = 'Only administrators and project managers in this project can add people to it';
const MANAGER_IS_FIXED = 'Project Manager cannot be changed.';
export const CHANGE_MANAGER_DENIED = 'Only administrators can assign a new project manager';

export const canUpdate = (caller: Caller) => caller.role !== 'member';

export const canDelete = (caller: Caller, project: ManagedProject) =>
  caller.role === 'admin' || (caller.role === 'project_manager' && project.manager_id === caller.userId);

/**
 * A project's conversation and documents are open to its members, so a project manager outside it cannot add anyone:
 * not themselves, and not another user, who could add them in return.
 */
export function getAddMembersDenial(caller: Caller, project: ProjectMembers): string | undefined {
  if (!canUpdate(caller)) return UPDATE_DENIED;
  return caller.role === 'admin' || isProjectMember(caller.userId, project) ? undefined : ADD_MEMBERS_DENIED;
}

/** The manager of a project is fixed until they leave the workspace. */
export function getChangeManagerDenial(caller: Caller, project: ManagerPresence): string | undefined {
  if (!project.managerHasLeft) return MANAGER_IS_FIXED;
  return caller.role === 'admin' ? undefined : CHANGE_MANAGER_DENIED;
}

/**
 * The reason for each denied ability, undefined for those allowed. Clients show these texts. Progress can be updated in
 * a status set by the same change.
 */
export function getDenialReasons(caller: Caller, project: ManagedProject & ProjectMembers & ManagerPresence) {
  return {
    update: getUpdateDenial(caller, project),
    updateProgress: getProgressDenial(caller, project),
    delete: canDelete(caller, project) ? undefined : DELETE_DENIED,
    manageMembers: canUpdate(caller) ? undefined : UPDATE_DENIED,
    addMembers: getAddMembersDenial(caller, project),
    changeManager: getUpdateDenial(caller, project) ?? getChangeManagerDenial(caller, project),
    createTasks: getCreateTasksDenial(caller, project),
  };
}

function getUpdateDenial(caller: Caller, { status }: ManagedProject): string | undefined {
  if (!canUpdate(caller)) return UPDATE_DENIED;
  return status === 'completed' ? COMPLETED_IS_FINAL : undefined;
}

function getProgressDenial(caller: Caller, { status }: ManagedProject): string | undefined {
  if (!canUpdate(caller)) return PROGRESS_DENIED;
  return status === 'completed' ? COMPLETED_IS_FINAL : undefined;
}

export const toAbilities = <Ability extends string>(denialReasons: Record<Ability, string | undefined>) =>
  Object.fromEntries(
    Object.entries(denialReasons).map(([ability, reason]) => [ability, reason === undefined]),
  ) as Record<Ability, boolean>;

export type TaskScope = { manager_id: string; in_team: boolean };

const CREATE_TASKS_DENIED = 'Only project members can create its tasks';

const taskScopeOf = (caller: Caller, project: ProjectMembers): TaskScope => ({
  manager_id: project.manager_id,
  in_team: project.member_ids.includes(caller.userId),
});

export const isProjectMember = (userId: string, project: ProjectMembers) =>
  project.manager_id === userId || project.member_ids.includes(userId);

export const canWorkOnTasks = (caller: Caller, { manager_id, in_team }: TaskScope) =>
  caller.role !== 'member' || in_team || manager_id === caller.userId;

export const getCreateTasksDenial = (caller: Caller, project: ProjectMembers) =>
  canWorkOnTasks(caller, taskScopeOf(caller, project)) ? undefined : CREATE_TASKS_DENIED;

const COMPLETED_IS_FINAL = 'Cannot revert status from "Completed". Completed projects are final.';

type CurrentState = { status: string; progress: number };
type Change = Pick<z.output<typeof updateProjectBody>, 'status' | 'progress'>;

export function assertChangeAllowed(before: CurrentState, change: Change): void {
  const reason = findViolation(before, change);
  if (reason !== undefined) throw new AppError('conflict', reason);
}

function findViolation(before: CurrentState, { status, progress }: Change): string | undefined {
  if (before.status === 'completed') return COMPLETED_IS_FINAL;
  if (progress === undefined || progress === before.progress) return undefined;
  if (progress < before.progress) return `Progress cannot decrease from ${before.progress}% to ${progress}%`;
  if (!['in-progress', 'completed'].includes(status ?? before.status)) {
    return 'Progress can only be updated when status is "In Progress" or "Completed"';
  }
  return undefined;
}
