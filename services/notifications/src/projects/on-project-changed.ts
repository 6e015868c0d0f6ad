import type { EventOf } from '@atrium/proto-events/event';
import { projectCreated, projectDeleted, projectUpdated } from '@atrium/proto-events/events/projects';
import { recordedReaction } from '../activity/recorded-reaction.ts';
import type { Deps } from '../deps.ts';
import { notifyUsers } from '../notifications/notify-users.ts';
import { withdrawNotifications } from '../notifications/withdraw-notifications.ts';
import { actorName, findUsers, toRecipient } from '../users.ts';
import { filterCurrentMembers, isDeleted } from './current-members.ts';
import { memberDepartedReaction, notifyManagerOfJoins, notifyNewManager } from './on-member-changed.ts';

type Created = EventOf<typeof projectCreated>;
type Updated = EventOf<typeof projectUpdated>;

export async function notifyInitialMembers(deps: Deps, event: Created): Promise<void> {
  const { projectId: id, version } = event.data;
  // Replayed dead letters may arrive after the deletion.
  if (await isDeleted(deps.store, id)) return;
  await notifyAdded(deps, event, await filterCurrentMembers(deps.store, { id, version }, memberIdsOf(event.data)));
  await saveMembers(deps, event.data);
}

export async function notifyAddedMembers(deps: Deps, event: Updated): Promise<void> {
  const known = await deps.store.projectPeople.findById(event.data.projectId).lean();
  if (known && known.version >= event.data.version) return;
  if (await isDeleted(deps.store, event.data.projectId)) return;
  const added = known ? memberIdsOf(event.data).filter((id) => !known.peopleIds.includes(id)) : [];
  await notifyAdded(deps, event, added);
  await notifyManagerOfJoins(deps, event, added);
  await notifyNewManager(deps, event, known?.peopleIds ?? []);
  // Saved last, so that a retry notifies the same members.
  await saveMembers(deps, event.data);
}

async function deleteProjectMembers(
  deps: Deps,
  { id, data: { projectId } }: EventOf<typeof projectDeleted>,
): Promise<void> {
  await deps.store.projectPeople.deleteOne({ _id: projectId });
  await withdrawNotifications(deps, { eventId: id, about: projectId, where: { resource: 'task', projectId } });
}

const memberIdsOf = ({ managerId, memberIds }: Created['data'] | Updated['data']) => [
  ...new Set([managerId, ...memberIds]),
];

async function saveMembers({ store }: Deps, data: Created['data'] | Updated['data']): Promise<void> {
  const known = await store.projectPeople.findById(data.projectId).lean();
  if (known && known.version >= data.version) return;
  const people = { name: data.name, peopleIds: memberIdsOf(data), version: data.version };
  await store.projectPeople.updateOne({ _id: data.projectId }, { $set: people }, { upsert: true });
}

async function notifyAdded(deps: Deps, event: Created | Updated, addedIds: string[]): Promise<void> {
  const { projectId, name, managerId, version } = event.data;
  const added = await findUsers(
    deps.directory,
    addedIds.filter((id) => id !== event.actorId),
  );
  await notifyUsers(deps, {
    event,
    kind: 'projects.member.added',
    subject: { resource: 'project', id: projectId, title: name },
    personIds: added.map(({ _id }) => _id),
  });
  for (const [asManager, part] of [
    [true, 'manager'],
    [false, 'members'],
  ] as const) {
    await deps.queueEmails({
      id: `${event.id}:${part}`,
      kind: 'project',
      about: projectId,
      requestId: event.requestId,
      occurredAt: event.occurredAt,
      topic: { id: `project:${projectId}` },
      content: {
        template: 'project',
        actor: actorName(deps.directory, event.actorId),
        project: { id: projectId, name, version },
        asManager,
      },
      recipients: added.filter(({ _id }) => (_id === managerId) === asManager).map(toRecipient),
    });
  }
}

const aboutProject = ({ projectId, name }: { projectId: string; name: string }) => ({
  resource: 'project',
  id: projectId,
  title: name,
});

export const projectReactions = (deps: Deps) => [
  recordedReaction(deps, projectCreated, { about: aboutProject, effect: notifyInitialMembers }),
  recordedReaction(deps, projectUpdated, { about: aboutProject, effect: notifyAddedMembers }),
  memberDepartedReaction(deps),
  recordedReaction(deps, projectDeleted, { about: aboutProject, effect: deleteProjectMembers }),
];
