// Browsers import this module, so it has no schemas.

import { getProjectDenials, getTaskDenials, type Membership } from '../abilities/projects.ts';
import { toAbilities, type Viewer } from '../abilities/viewer.ts';
import type { Project, SharedProjectCounts } from '../http/projects.ts';
import type { Task } from '../http/tasks.ts';
import type { UserSummary } from '../people.ts';
import type { Change } from '../realtime.ts';

/** A resource as events carry it: without what belongs to one user. */
export type SharedProject = Omit<Project, 'membership' | 'abilities' | 'denialReasons'>;
export type SharedTask = Omit<Task, 'membership' | 'abilities' | 'denialReasons' | 'comments'>;

type ProjectViewer = { membership: Membership; managerHasLeft?: boolean };

/** By default, the manager has left if the item says so. */
export function presentProjectTo(
  viewer: Viewer,
  project: SharedProject,
  { membership, managerHasLeft = hasLeft(project.projectManager) }: ProjectViewer,
): Project {
  const denialReasons = getProjectDenials(viewer, { status: project.status, membership, managerHasLeft });
  return { ...project, membership, abilities: toAbilities(denialReasons), denialReasons };
}

const hasLeft = ({ status, deleted }: UserSummary) => deleted === true || status === 'inactive';

export function presentTaskTo(viewer: Viewer, task: SharedTask, membership: Membership): Task {
  const facts = { membership, assigneeId: task.assignedTo?._id ?? null, creatorId: task.createdBy._id };
  const denialReasons = getTaskDenials(viewer, facts);
  return { ...task, membership, abilities: toAbilities(denialReasons), denialReasons };
}

type Context = {
  viewer: Viewer;
  /** Today in the viewer's time zone, as YYYY-MM-DD. */
  today: string;
  /** The viewer's place in a project, as far as it is known. */
  membershipIn: (projectId: string) => Membership;
};

type Presenter<Shared> = (item: Shared, context: Context) => object;

const presenter =
  <Shared>(present: Presenter<Shared>): Presenter<unknown> =>
  (item, context) =>
    present(item as Shared, context);

/** The viewer's place, as far as a list shows it: it contains only the first members of a team. */
function findShownMembership({ userId }: Viewer, { projectManager, teamMembers }: SharedProject): Membership {
  if (projectManager._id === userId) return 'manager';
  return teamMembers.some(({ _id }) => _id === userId) ? 'member' : null;
}

const PRESENTERS: Partial<Record<Change['resource'], Presenter<unknown>>> = {
  project: presenter<SharedProject>((project, { viewer, membershipIn }) =>
    presentProjectTo(viewer, project, {
      membership: membershipIn(project._id) ?? findShownMembership(viewer, project),
    }),
  ),
  task: presenter<SharedTask>((task, { viewer, membershipIn }) =>
    presentTaskTo(viewer, task, membershipIn(task.project)),
  ),
  'project-counts': presenter<SharedProjectCounts>(({ overdueByDay, ...counts }, { today }) => ({
    ...counts,
    overdue: overdueByDay[today] ?? 0,
  })),
};

/** Adds what belongs to the viewer to the item of an event. */
export function presentItem(resource: Change['resource'], item: object, context: Context): object {
  return PRESENTERS[resource]?.(item, context) ?? item;
}
