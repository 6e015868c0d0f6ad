import type { Caller } from '@atrium/service-kit/http/authenticate';

/** Who belongs to a project, and can therefore work on its tasks. Pure: no I/O, no state. */

type People = { manager_id: string; member_ids: string[] };
export type TaskScope = { manager_id: string; in_team: boolean };

const CREATE_TASKS_DENIED = 'Only project members can create its tasks';

export const taskScopeOf = (caller: Caller, project: People): TaskScope => ({
  manager_id: project.manager_id,
  in_team: project.member_ids.includes(caller.userId),
});

/** Members of a project are its manager and its team. */
export const isProjectMember = (userId: string, project: People) =>
  project.manager_id === userId || project.member_ids.includes(userId);

export const canWorkOnTasks = (caller: Caller, { manager_id, in_team }: TaskScope) =>
  caller.role !== 'member' || in_team || manager_id === caller.userId;

export const getCreateTasksDenial = (caller: Caller, project: People) =>
  canWorkOnTasks(caller, taskScopeOf(caller, project)) ? undefined : CREATE_TASKS_DENIED;
