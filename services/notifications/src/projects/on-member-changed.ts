import type { EventOf } from '@atrium/proto-events/event';
import { memberDeparted, type projectUpdated } from '@atrium/proto-events/events/projects';
import { isActive } from '@atrium/service-kit/directory/active-users';
import { recordedReaction } from '../activity/recorded-reaction.ts';
import type { Deps } from '../deps.ts';
import { notifyUsers } from '../notifications/notify-users.ts';

type Updated = EventOf<typeof projectUpdated>;
type Departed = EventOf<typeof memberDeparted>;

export async function notifyManagerOfJoins(deps: Deps, event: Updated, addedIds: readonly string[]): Promise<void> {
  const { projectId, name, managerId } = event.data;
  for (const userId of addedIds.filter((id) => id !== managerId)) {
    await notifyUsers(deps, {
      // Several users can join with one event.
      event: { ...event, id: `${event.id}:${userId}` },
      kind: 'projects.member.joined',
      subject: { resource: 'project', id: projectId, title: name },
      personIds: [managerId],
      aboutUserId: userId,
    });
  }
}

/** Notifies a member who became the manager; a manager from outside is notified as a new member. */
export async function notifyNewManager(deps: Deps, event: Updated, knownIds: readonly string[]): Promise<void> {
  const { projectId, name, managerId, changed } = event.data;
  if (!changed.includes('projectManager') || !knownIds.includes(managerId)) return;
  if (!isActive(deps.directory.user(managerId))) return;
  await notifyUsers(deps, {
    event,
    kind: 'projects.manager.assigned',
    subject: { resource: 'project', id: projectId, title: name },
    personIds: [managerId],
  });
}

/** Sends the departed user's unassigned tasks to the project's manager, or to administrators if the manager left. */
async function notifyMemberDeparted(deps: Deps, event: Departed): Promise<void> {
  const { projectId, name, managerId, userId, tasks, taskCount } = event.data;
  const isManager = managerId === userId;
  await notifyUsers(deps, {
    // Without an actor, so that an administrator who deactivated the user is notified as well.
    event: { ...event, actorId: null },
    kind: isManager ? 'projects.manager.departed' : 'projects.member.departed',
    subject: { resource: 'project', id: projectId, title: name },
    personIds: isManager || !isActive(deps.directory.user(managerId)) ? listAdministrators(deps) : [managerId],
    aboutUserId: userId,
    ...(taskCount > 0 && { tasks: { titles: tasks.map(({ title }) => title), count: taskCount } }),
  });
}

const listAdministrators = ({ directory }: Deps) =>
  [...directory.users()].filter((user) => user.role === 'admin' && isActive(user)).map(({ _id }) => _id);

export const memberDepartedReaction = (deps: Deps) =>
  recordedReaction(deps, memberDeparted, {
    about: ({ projectId, name }) => ({ resource: 'project', id: projectId, title: name }),
    details: ({ userId, taskCount }) => ({ userId, taskCount }),
    effect: notifyMemberDeparted,
  });
