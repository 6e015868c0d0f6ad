import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { listProjectPeople } from '../projects/project-repository.ts';
import type { DocumentRow } from './document-repository.ts';

/** Who may read a document, for its events: administrators always may and are not named. */
export type Audience = { everyone: boolean; userIds: string[] };

/** The readers as `READABLE` lets them in, the other way round. */
export async function findAudience(tx: Queryable, row: DocumentRow): Promise<Audience> {
  if (row.visibility === 'public' || (row.visibility === 'team' && row.project_id === null)) {
    return { everyone: true, userIds: [] };
  }
  const team = row.visibility === 'team' && row.project_id !== null ? await listProjectPeople(tx, row.project_id) : [];
  return { everyone: false, userIds: [...new Set([row.uploaded_by, ...row.shared_with, ...team])] };
}

/** Both together: those who lost sight of a document must learn that, too. */
export function joinAudiences(before: Audience, after: Audience): Audience {
  if (before.everyone || after.everyone) return { everyone: true, userIds: [] };
  return { everyone: false, userIds: [...new Set([...before.userIds, ...after.userIds])] };
}

/** The facts of a document as its events carry them. */
export function documentFacts(row: DocumentRow, audience: Audience) {
  const { id: documentId, name, uploaded_by: uploadedBy, version, project_id: project } = row;
  return { documentId, name, uploadedBy, audience, version, project };
}
