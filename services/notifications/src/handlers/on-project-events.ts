import type { EventOf } from '@atrium/proto-events/event';
import {
  memberDeactivated,
  projectCreated,
  projectDeleted,
  projectUpdated,
} from '@atrium/proto-events/events/projects';
import { isActive } from '@atrium/service-kit/directory/active-users';
import { filterCurrentMembers, isProjectDeleted } from '../activity/known-state.ts';
import { createRecordedHandler, projectSubject } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import { type Notice, toEmailRecipients } from '../notifications/notices.ts';
import { notifyUsers, withdrawNotifications } from '../notifications/notify-users.ts';
import { anyOf } from '../store/store.ts';
import { findActorName, findUsers, listActiveAdmins } from '../users/find-users.ts';

type ProjectUpdated = EventOf<typeof projectUpdated>;
type MemberDeactivated = EventOf<typeof memberDeactivated>;

async function notifyManagerOfJoins(deps: Deps, event: ProjectUpdated, addedIds: readonly string[]): Promise<void> {
  const { managerId } = event.data;
  for (const userId of addedIds.filter((id) => id !== managerId)) {
    await notifyUsers(deps, {
      event: { ...event, id: `${event.id}:${userId}` },
      kind: 'projects.member.joined',
      notice: { kind: 'project_manager', reason: 'project_manager', levelId: event.data.projectId },
      subject: projectSubject(event.data),
      userIds: [managerId],
      details: { aboutUserId: userId },
    });
  }
}

/** Notifies a member who became the manager; a manager from outside is notified as a new member. */
async function notifyNewManager(
  deps: Deps,
  event: ProjectUpdated,
  previousMemberIds: readonly string[],
): Promise<void> {
  const { managerId, changed } = event.data;
  if (!changed.includes('projectManager') || !previousMemberIds.includes(managerId)) return;
  if (!isActive(deps.directory.user(managerId))) return;
  await notifyUsers(deps, {
    event,
    kind: 'projects.manager.assigned',
    notice: { kind: 'project_manager', reason: 'project_manager', levelId: event.data.projectId },
    subject: projectSubject(event.data),
    userIds: [managerId],
  });
}

/** Notifies the project manager, or the administrators if the manager left, of the tasks that were unassigned. */
async function notifyMemberDeactivated(deps: Deps, event: MemberDeactivated): Promise<void> {
  const { managerId, userId, tasks, taskCount } = event.data;
  const isManager = managerId === userId;
  await notifyUsers(deps, {
    // Omits the actor so that an administrator who deactivated the user is notified as well.
    event: { ...event, actorId: null },
    kind: isManager ? 'projects.manager.departed' : 'projects.member.departed',
    notice: (id) => ({
      kind: 'project_manager',
      reason: id === managerId ? 'project_manager' : 'administrator',
      levelId: event.data.projectId,
    }),
    subject: projectSubject(event.data),
    userIds:
      isManager || !isActive(deps.directory.user(managerId))
        ? listActiveAdmins(deps.directory).map(({ _id }) => _id)
        : [managerId],
    details: {
      aboutUserId: userId,
      ...(taskCount > 0 && { tasks: { titles: tasks.map(({ title }) => title), count: taskCount } }),
    },
  });
}

type ProjectCreated = EventOf<typeof projectCreated>;

async function notifyInitialMembers(deps: Deps, event: ProjectCreated): Promise<void> {
  const { projectId: id, version } = event.data;
  // Replayed dead letters may arrive after the deletion.
  if (await isProjectDeleted(deps.store, id)) return;
  await sendAddedNotifications(
    deps,
    event,
    await filterCurrentMembers(deps.store, { id, version }, listMemberIds(event.data)),
  );
  await saveMembers(deps, event.data);
}

async function notifyAddedMembers(deps: Deps, event: ProjectUpdated): Promise<void> {
  const savedProject = await deps.store.projectMembers.findById(event.data.projectId).lean();
  if (savedProject && savedProject.version >= event.data.version) return;
  if (await isProjectDeleted(deps.store, event.data.projectId)) return;
  await withdrawFromFormerMembers(deps, event, savedProject?.peopleIds ?? []);
  const addedIds = savedProject ? listMemberIds(event.data).filter((id) => !savedProject.peopleIds.includes(id)) : [];
  await sendAddedNotifications(deps, event, addedIds);
  await notifyManagerOfJoins(deps, event, addedIds);
  await notifyNewManager(deps, event, savedProject?.peopleIds ?? []);
  // Saved last, so that a retry notifies the same members.
  await saveMembers(deps, event.data);
}

/** Their emails about having been added are not sent either. */
async function withdrawFromFormerMembers(
  deps: Deps,
  { id, data }: ProjectUpdated,
  previousIds: readonly string[],
): Promise<void> {
  const { projectId } = data;
  const memberIds = listMemberIds(data);
  const formerIds = previousIds.filter((userId) => !memberIds.includes(userId));
  if (formerIds.length === 0) return;
  await withdrawNotifications(deps, {
    eventId: id,
    subjectId: projectId,
    filter: { subjectId: projectId, kind: MEMBER_ADDED, personId: anyOf(formerIds), read: false },
  });
}

async function deleteProjectMembers(
  deps: Deps,
  { id, data: { projectId } }: EventOf<typeof projectDeleted>,
): Promise<void> {
  await deps.store.projectMembers.deleteOne({ _id: projectId });
  for (const filter of [
    { resource: 'task', projectId },
    { resource: 'project', subjectId: projectId },
  ])
    await withdrawNotifications(deps, { eventId: id, subjectId: projectId, filter });
}

const listMemberIds = ({ managerId, memberIds }: ProjectCreated['data'] | ProjectUpdated['data']) => [
  ...new Set([managerId, ...memberIds]),
];

async function saveMembers({ store }: Deps, data: ProjectCreated['data'] | ProjectUpdated['data']): Promise<void> {
  const savedProject = await store.projectMembers.findById(data.projectId).lean();
  if (savedProject && savedProject.version >= data.version) return;
  const savedFields = { name: data.name, peopleIds: listMemberIds(data), version: data.version };
  await store.projectMembers.updateOne({ _id: data.projectId }, { $set: savedFields }, { upsert: true });
}

const MEMBER_ADDED = 'projects.member.added';
const ADDED: Notice = { kind: 'project_added', reason: 'project_member' };

async function sendAddedNotifications(
  deps: Deps,
  event: ProjectCreated | ProjectUpdated,
  addedIds: string[],
): Promise<void> {
  const { projectId, name, managerId, version } = event.data;
  const addedUsers = await findUsers(
    deps.directory,
    addedIds.filter((id) => id !== event.actorId),
  );
  await notifyUsers(deps, {
    event,
    kind: MEMBER_ADDED,
    notice: ADDED,
    email: 'own',
    subject: projectSubject(event.data),
    userIds: addedUsers.map(({ _id }) => _id),
  });
  for (const [asManager, group] of [
    [true, 'manager'],
    [false, 'members'],
  ] as const) {
    await deps.queueEmails({
      event,
      group,
      kind: 'project',
      subjectId: projectId,
      topic: { id: `project:${projectId}` },
      content: {
        template: 'project',
        actor: findActorName(deps.directory, event.actorId),
        project: { id: projectId, name, version },
        asManager,
      },
      recipients: toEmailRecipients(
        addedUsers.filter(({ _id }) => (_id === managerId) === asManager),
        ADDED,
      ),
    });
  }
}

export const projectHandlers = (deps: Deps) => [
  createRecordedHandler(deps, projectCreated, { toSubject: projectSubject, sideEffect: notifyInitialMembers }),
  createRecordedHandler(deps, projectUpdated, { toSubject: projectSubject, sideEffect: notifyAddedMembers }),
  createRecordedHandler(deps, memberDeactivated, {
    toSubject: projectSubject,
    toDetails: ({ userId, taskCount }) => ({ userId, taskCount }),
    sideEffect: notifyMemberDeactivated,
  }),
  createRecordedHandler(deps, projectDeleted, { toSubject: projectSubject, sideEffect: deleteProjectMembers }),
];
