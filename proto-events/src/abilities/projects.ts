import type { Viewer } from './viewer.ts';

/*
 * Permissions of projects and tasks. Services enforce them, and browsers apply them to items that arrive without the
 * abilities of their user. Pure, and without schemas, because browsers load this module.
 */

/** The place of a user in a project: its manager, a member of its team, or neither. */
export type Membership = 'manager' | 'member' | null;

type ManagedProject = { membership: Membership };
type ProjectFacts = ManagedProject & { status: string; managerHasLeft: boolean };

export const DELETE_PROJECT_DENIED = "You don't have permission to delete this project.";
export const UPDATE_PROJECT_DENIED = 'Only Admin and Project Manager can edit projects';
export const PROGRESS_DENIED = 'Only Admin and Project Manager can update progress';
export const CHANGE_MANAGER_DENIED = 'Only administrators can assign a new project manager';
export const COMPLETED_IS_FINAL = 'Cannot revert status from "Completed". Completed projects are final.';
const ADD_MEMBERS_DENIED = 'Only administrators and project managers in this project can add people to it';
const MANAGER_IS_FIXED = 'Project Manager cannot be changed.';
const CREATE_TASKS_DENIED = 'Only project members can create its tasks';

export const canUpdateProjects = ({ role }: Viewer): boolean => role !== 'member';

export const canDeleteProject = ({ role }: Viewer, { membership }: ManagedProject): boolean =>
  role === 'admin' || (role === 'project_manager' && membership === 'manager');

/**
 * A project's conversation and documents are open to its members, so a project manager outside it cannot add anyone:
 * not themselves, and not another user, who could add them in return.
 */
export function getAddMembersDenial(viewer: Viewer, { membership }: ManagedProject): string | undefined {
  if (!canUpdateProjects(viewer)) return UPDATE_PROJECT_DENIED;
  return viewer.role === 'admin' || membership !== null ? undefined : ADD_MEMBERS_DENIED;
}

/** The manager of a project is fixed until they leave the workspace. */
export function getChangeManagerDenial(
  { role }: Viewer,
  { managerHasLeft }: Pick<ProjectFacts, 'managerHasLeft'>,
): string | undefined {
  if (!managerHasLeft) return MANAGER_IS_FIXED;
  return role === 'admin' ? undefined : CHANGE_MANAGER_DENIED;
}

const canWorkOnTasks = ({ role }: Viewer, { membership }: ManagedProject) => role !== 'member' || membership !== null;

export const getCreateTasksDenial = (viewer: Viewer, project: ManagedProject): string | undefined =>
  canWorkOnTasks(viewer, project) ? undefined : CREATE_TASKS_DENIED;

const HEALTH_DENIED = 'Only the project manager and administrators can report the health of this project';
const HEALTH_IS_FINAL = 'This project is completed';

/** The health is the judgment of the project's manager. */
export function getHealthDenial({ role }: Viewer, { membership, status }: Omit<ProjectFacts, 'managerHasLeft'>) {
  if (role !== 'admin' && membership !== 'manager') return HEALTH_DENIED;
  return status === 'completed' ? HEALTH_IS_FINAL : undefined;
}

function getEditDenial(viewer: Viewer, { status }: { status: string }, denied: string): string | undefined {
  if (!canUpdateProjects(viewer)) return denied;
  return status === 'completed' ? COMPLETED_IS_FINAL : undefined;
}

/** Clients show these texts. Progress can be updated in a status set by the same change. */
export function getProjectDenials(viewer: Viewer, project: ProjectFacts) {
  const update = getEditDenial(viewer, project, UPDATE_PROJECT_DENIED);
  return {
    update,
    updateProgress: getEditDenial(viewer, project, PROGRESS_DENIED),
    delete: canDeleteProject(viewer, project) ? undefined : DELETE_PROJECT_DENIED,
    manageMembers: canUpdateProjects(viewer) ? undefined : UPDATE_PROJECT_DENIED,
    addMembers: getAddMembersDenial(viewer, project),
    changeManager: update ?? getChangeManagerDenial(viewer, project),
    createTasks: getCreateTasksDenial(viewer, project),
    reportHealth: getHealthDenial(viewer, project),
  };
}

type TaskFacts = ManagedProject & { assigneeId: string | null; creatorId: string };

const UPDATE_TASK_DENIED = 'Only project members can edit its tasks';
const OWN_TASK_ONLY = 'You can change only the status and the progress of this task';
const COMMENT_DENIED = 'Only project members can comment on its tasks';
const DELETE_TASK_DENIED = 'Only its creator, the project manager, and administrators can delete this task';

/** `membership` is that in the task's project. */
export function getTaskDenials(viewer: Viewer, { membership, assigneeId, creatorId }: TaskFacts) {
  const canWork = canWorkOnTasks(viewer, { membership });
  const isOwn = assigneeId === viewer.userId;
  const canDelete = viewer.role === 'admin' || creatorId === viewer.userId || membership === 'manager';
  return {
    update: canWork ? undefined : isOwn ? OWN_TASK_ONLY : UPDATE_TASK_DENIED,
    updateStatus: canWork || isOwn ? undefined : UPDATE_TASK_DENIED,
    comment: canWork ? undefined : COMMENT_DENIED,
    delete: canDelete ? undefined : DELETE_TASK_DENIED,
  };
}
