import {
  type documentDeleted,
  type documentRestored,
  documentUpdated,
  type documentUploaded,
} from '@atrium/proto-events/events/documents';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { listProjectMembers } from '../projects/project-membership.ts';
import type { DocumentRow } from './document-repository.ts';

/** Excludes administrators, who can always read the document. */
type Audience = { everyone: boolean; userIds: string[]; departmentIds?: string[] };

/** Returns the readers of a document: the inverse of `READABLE`, which finds the documents of a reader. */
export async function findAudience(tx: Queryable, row: DocumentRow): Promise<Audience> {
  if (row.visibility === 'public' || (row.visibility === 'team' && row.project_id === null)) {
    return { everyone: true, userIds: [] };
  }
  const team = row.visibility === 'team' && row.project_id !== null ? [row.project_id] : [];
  const projects = [...team, ...row.shared_projects];
  const members = projects.length > 0 ? await listProjectMembers(tx, projects) : [];
  return limitedAudience([row.uploaded_by, ...row.shared_with, ...members], row.shared_departments);
}

function joinAudiences(previous: Audience, current: Audience): Audience {
  if (previous.everyone || current.everyone) return { everyone: true, userIds: [] };
  const { departmentIds: departments = [] } = previous;
  return limitedAudience([...previous.userIds, ...current.userIds], [...departments, ...(current.departmentIds ?? [])]);
}

function includesAudience(audience: Audience, other: Audience): boolean {
  if (audience.everyone) return true;
  if (other.everyone) return false;
  const ids = new Set([...audience.userIds, ...(audience.departmentIds ?? [])]);
  return [...other.userIds, ...(other.departmentIds ?? [])].every((id) => ids.has(id));
}

const limitedAudience = (userIds: readonly string[], departmentIds: readonly string[]): Audience => ({
  everyone: false,
  userIds: [...new Set(userIds)],
  ...(departmentIds.length > 0 && { departmentIds: [...new Set(departmentIds)] }),
});

export function toEventData(row: DocumentRow, audience: Audience) {
  const { id: documentId, name, uploaded_by: uploadedBy, version, project_id: project } = row;
  return { documentId, name, uploadedBy, audience, version, project };
}

type DocumentEvent = typeof documentUploaded | typeof documentDeleted | typeof documentRestored;
type DocumentEventParams = { event: DocumentEvent; row: DocumentRow; actorId: string };

export async function appendDocumentEvent(tx: Queryable, { event, row, actorId }: DocumentEventParams): Promise<void> {
  await appendEvent(tx, { event, data: toEventData(row, await findAudience(tx, row)), aggregate: row.id, actorId });
}

type UpdatedEventParams = { row: DocumentRow; changed: string[]; actorId: string | null; previousAudience?: Audience };

/** Pass `previousAudience` if users may lose access: their browsers must refetch, too. */
export async function appendDocumentUpdated(
  tx: Queryable,
  { row, changed, actorId, previousAudience }: UpdatedEventParams,
): Promise<void> {
  const current = await findAudience(tx, row);
  const audience = previousAudience ? joinAudiences(previousAudience, current) : current;
  const isLimited = previousAudience !== undefined && !includesAudience(current, previousAudience);
  await appendEvent(tx, {
    event: documentUpdated,
    data: { ...toEventData(row, audience), changed, ...(isLimited && { currentAudience: current }) },
    aggregate: row.id,
    actorId,
  });
}
