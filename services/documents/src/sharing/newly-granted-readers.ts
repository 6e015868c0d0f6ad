import { isActive } from '@atrium/service-kit/directory/active-users';
import { assignedDepartmentId } from '@atrium/service-kit/directory/assigned-department';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { listPeopleOfProjects } from '../projects/project-repository.ts';
import { findReadersAmong } from './access-repository.ts';
import type { Grantees } from './grant-repository.ts';
import { toReader } from './to-reader.ts';

/** As many as can be selected manually. Larger groups are not notified; the document still appears in their lists. */
const MAX_NOTIFIED_USERS = 500;

type Added = Pick<Grantees, 'departmentIds' | 'projectIds'>;

/** Members of these departments and projects who cannot read the document yet. Call before sharing. */
export async function findNewlyGrantedReaders(
  tx: Queryable,
  directory: Directory,
  { documentId, departmentIds, projectIds }: Added & { documentId: string },
): Promise<string[]> {
  if (departmentIds.length + projectIds.length === 0) return [];
  const inProjects = new Set(await listPeopleOfProjects(tx, projectIds));
  const departments = new Set<string | null>(departmentIds);
  const people = [...directory.users()].filter(
    (user) => isActive(user) && (inProjects.has(user._id) || departments.has(assignedDepartmentId(user))),
  );
  if (people.length > MAX_NOTIFIED_USERS) return [];
  const readers = await findReadersAmong(tx, documentId, people.map(toReader));
  return people.map(({ _id }) => _id).filter((id) => !readers.has(id));
}
