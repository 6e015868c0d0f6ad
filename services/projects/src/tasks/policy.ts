import type { Caller } from '@atrium/service-kit/authenticate';

type People = { manager_id: string; member_ids: string[] };

export const CREATE_REFUSED = 'Only people of the project can create its tasks';

/** The project's people, administrators and project managers (decisions, section 4). */
export const mayCreateTask = (caller: Caller, project: People) =>
  caller.role !== 'member' || isOfProject(caller.userId, project);

type Assigned = { assigned_to: string | null; created_by: string };

/** What the caller may do with a task of a project (decisions, section 4). */
export function abilities(caller: Caller, project: People, task: Assigned) {
  const works = mayCreateTask(caller, project);
  return {
    update: works,
    updateStatus: works || task.assigned_to === caller.userId,
    comment: works,
    delete: caller.role === 'admin' || task.created_by === caller.userId || project.manager_id === caller.userId,
  };
}

/** The people of a project are its manager and its team members. */
export const isOfProject = (userId: string, project: People) =>
  project.manager_id === userId || project.member_ids.includes(userId);
