import { readersChanged } from '@atrium/proto-events/events/documents';
import { projectCreated, projectDeleted, projectUpdated } from '@atrium/proto-events/events/projects';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { on } from '@atrium/service-kit/messaging/subscription';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { markProjectDeleted, type PeopleChange, putProject } from './project-repository.ts';

type Facts = { projectId: string; version: number; managerId: string; memberIds: string[] };

const takeOver = ({ data }: { data: Facts }, tx: Queryable) =>
  putProject(tx, { id: data.projectId, version: data.version, people: [data.managerId, ...data.memberIds] });

type Caused = { data: { projectId: string }; actorId: string | null };

/** Browsers heard of the project before this did, and have asked for what was true then: those concerned hear of it again. */
async function tellReaders(tx: Queryable, change: PeopleChange, { data, actorId }: Caused): Promise<void> {
  if (change.addedIds.length + change.removedIds.length === 0) return;
  const { projectId } = data;
  await appendEvent(tx, { event: readersChanged, data: { projectId, ...change }, aggregate: projectId, actorId });
}

/** Who belongs to a project decides who reads its team documents. A new one has none. */
export const followProject = [
  on(projectCreated, async (event, tx) => void (await takeOver(event, tx))),
  on(projectUpdated, async (event, tx) => tellReaders(tx, await takeOver(event, tx), event)),
];

/**
 * The documents of a deleted project stay, for their uploader, those they are shared with and administrators: nobody belongs to
 * it any more, and they must not become everyone's.
 */
export const forgetProject = on(projectDeleted, async (event, tx) =>
  tellReaders(tx, await markProjectDeleted(tx, event.data.projectId), event),
);
