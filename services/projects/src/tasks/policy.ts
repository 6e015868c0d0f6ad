import type { Caller } from '@atrium/service-kit/authenticate';

type People = { manager_id: string; member_ids: string[] };

export const CREATE_REFUSED = 'Only people of the project can create its tasks';

/** The project's people, administrators and project managers (decisions, section 4). */
export const mayCreateTask = (caller: Caller, project: People) =>
  caller.role !== 'member' || isOfProject(caller.userId, project);

/** The people of a project are its manager and its team members. */
export const isOfProject = (userId: string, project: People) =>
  project.manager_id === userId || project.member_ids.includes(userId);
