import { isActive } from '@atrium/service-kit/directory/active-users';
import { assignedDepartmentId } from '@atrium/service-kit/directory/assigned-department';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { listPeopleOfProjects } from '../projects/project-repository.ts';
import { findReadersAmong } from './access-repository.ts';
import type { Grantees } from './grant-repository.ts';
import { readerOfPerson } from './to-reader.ts';

/** As many as can be chosen by hand. Of more nobody is told: it stands in their list. */
const MOST_TOLD = 500;

type Added = Pick<Grantees, 'departmentIds' | 'projectIds'>;

/** Who is in these departments and projects now and cannot read the document yet, to be told of it; asked before it is shared with them. */
export async function findNewReaders(
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
  if (people.length > MOST_TOLD) return [];
  const readers = await findReadersAmong(tx, documentId, people.map(readerOfPerson));
  return people.map(({ _id }) => _id).filter((id) => !readers.has(id));
}
