import type { EventOf } from '@atrium/proto-events/event';
import { MAX_LISTED_TASKS, memberDeactivated } from '@atrium/proto-events/events/projects';
import type { userDeactivated } from '@atrium/proto-events/events/users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { listUserProjectIds, lockProject, removeMember } from '../projects/project-repository.ts';
import { unassignTasks } from '../tasks/write-tasks.ts';
import { touchTeam } from './change-team.ts';

const PROPAGATION_TIMEOUT_MS = 2_000;

type UserDeactivated = EventOf<typeof userDeactivated>;

/**
 * Removes the user from every team. A project they managed keeps their id until an administrator assigns a new manager,
 * and gets a new version, because its abilities depend on the status of the manager.
 */
export const removeDeactivatedUser =
  ({ directory }: Pick<Deps, 'directory'>) =>
  async (event: UserDeactivated, tx: Queryable): Promise<void> => {
    const { userId, version } = event.data;
    await directory.whenUser(userId, (user) => user !== undefined && user.version >= version, PROPAGATION_TIMEOUT_MS);
    for (const id of await listUserProjectIds(tx, userId)) await removeFromProject(tx, directory, event, id);
  };

async function removeFromProject(
  tx: Queryable,
  directory: Directory,
  { data: { userId }, actorId }: UserDeactivated,
  id: string,
): Promise<void> {
  const project = await lockProject(tx, id);
  if (!project) return;
  const isManager = project.manager_id === userId;
  const isMember = project.member_ids.includes(userId);
  if (isMember) await removeMember(tx, id, userId);
  if (isManager || isMember) {
    await touchTeam(tx, directory, {
      id,
      actorId,
      affectedIds: isMember ? [userId] : [],
      changed: [isManager ? 'projectManager' : 'teamMembers'],
    });
  }
  const tasks = await unassignTasks(tx, directory, { projectId: id, userId, actorId });
  await appendEvent(tx, {
    event: memberDeactivated,
    data: {
      projectId: id,
      name: project.name,
      managerId: project.manager_id,
      userId,
      tasks: tasks.slice(0, MAX_LISTED_TASKS).map(({ id: taskId, title }) => ({ taskId, title })),
      taskCount: tasks.length,
    },
    aggregate: id,
    actorId,
  });
}
