import { documentAccessChanged } from '@atrium/proto-events/events/documents';
import { projectCreated, projectDeleted, projectUpdated } from '@atrium/proto-events/events/projects';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { on } from '@atrium/service-kit/messaging/subscription';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { type MembershipChange, markProjectDeleted, upsertProject } from './project-repository.ts';

type Facts = { projectId: string; version: number; managerId: string; memberIds: string[] };

const applyMembership = ({ data }: { data: Facts }, tx: Queryable) =>
  upsertProject(tx, { id: data.projectId, version: data.version, people: [data.managerId, ...data.memberIds] });

type Caused = { data: { projectId: string }; actorId: string | null };

/** Browsers may have refetched on the project event before this service processed it, so affected users are notified again. */
async function publishAccessChanged(tx: Queryable, change: MembershipChange, { data, actorId }: Caused): Promise<void> {
  if (change.addedIds.length + change.removedIds.length === 0) return;
  const { projectId } = data;
  await appendEvent(tx, {
    event: documentAccessChanged,
    data: { projectId, ...change },
    aggregate: projectId,
    actorId,
  });
}

/** Project membership decides who can read its team documents. New projects have none. */
export const syncProject = [
  on(projectCreated, async (event, tx) => void (await applyMembership(event, tx))),
  on(projectUpdated, async (event, tx) => publishAccessChanged(tx, await applyMembership(event, tx), event)),
];

/**
 * Documents of a deleted project remain readable for uploader, grantees, and administrators; without members, they must not become
 * visible to everyone.
 */
export const handleProjectDeleted = on(projectDeleted, async (event, tx) =>
  publishAccessChanged(tx, await markProjectDeleted(tx, event.data.projectId), event),
);
