import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { listPeopleOfProjects } from '../projects/project-repository.ts';
import type { DocumentRow } from './document-repository.ts';

/**
 * The readers of a document, for its events: these users and the members of these departments. Administrators can always read it and are
 * not listed.
 */
export type Audience = { everyone: boolean; userIds: string[]; departmentIds?: string[] };

/** The inverse of `READABLE`: from a document to its readers. */
export async function findAudience(tx: Queryable, row: DocumentRow): Promise<Audience> {
  if (row.visibility === 'public' || (row.visibility === 'team' && row.project_id === null)) {
    return { everyone: true, userIds: [] };
  }
  const team = row.visibility === 'team' && row.project_id !== null ? [row.project_id] : [];
  const projects = [...team, ...row.shared_projects];
  const inProjects = projects.length > 0 ? await listPeopleOfProjects(tx, projects) : [];
  return limitedAudience([row.uploaded_by, ...row.shared_with, ...inProjects], row.shared_departments);
}

/** Both, because users who lose access must be notified as well. */
export function joinAudiences(before: Audience, after: Audience): Audience {
  if (before.everyone || after.everyone) return { everyone: true, userIds: [] };
  const { departmentIds: departments = [] } = before;
  return limitedAudience([...before.userIds, ...after.userIds], [...departments, ...(after.departmentIds ?? [])]);
}

const limitedAudience = (userIds: readonly string[], departmentIds: readonly string[]): Audience => ({
  everyone: false,
  userIds: [...new Set(userIds)],
  ...(departmentIds.length > 0 && { departmentIds: [...new Set(departmentIds)] }),
});

export function documentFacts(row: DocumentRow, audience: Audience) {
  const { id: documentId, name, uploaded_by: uploadedBy, version, project_id: project } = row;
  return { documentId, name, uploadedBy, audience, version, project };
}
