import type { EventOf } from '@atrium/proto-events/event';
import { MAX_LISTED_TASKS, memberDeparted } from '@atrium/proto-events/events/projects';
import type { userDeparted } from '@atrium/proto-events/events/users';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { listProjectIdsOf, lockProject, removeMember } from '../projects/project-repository.ts';
import { unassignTasks } from '../tasks/unassign-tasks.ts';
import { publishTeam } from './change-team.ts';

const SETTLE_MS = 2_000;

type Departed = EventOf<typeof userDeparted>;

/**
 * A project they managed keeps their id until an administrator assigns a new manager; it is published again, because its abilities change
 * with the status of the manager.
 */
export const removeDepartedUser =
  ({ directory }: Pick<Deps, 'directory'>) =>
  async (event: Departed, tx: Queryable): Promise<void> => {
    const { userId, version } = event.data;
    await directory.whenUser(userId, (user) => user !== undefined && user.version >= version, SETTLE_MS);
    for (const id of await listProjectIdsOf(tx, userId)) await removeFromProject(tx, event, id);
  };

async function removeFromProject(tx: Queryable, { data: { userId }, actorId }: Departed, id: string): Promise<void> {
  const project = await lockProject(tx, id);
  if (!project) return;
  const isManager = project.manager_id === userId;
  const isMember = project.member_ids.includes(userId);
  if (isMember) await removeMember(tx, id, userId);
  if (isManager || isMember) {
    await publishTeam(tx, { id, actorId, changed: [isManager ? 'projectManager' : 'teamMembers'] });
  }
  const tasks = await unassignTasks(tx, { projectId: id, userId, actorId });
  await appendEvent(tx, {
    event: memberDeparted,
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
