import type { DirectoryUser } from '@atrium/proto-events/people';
import { assignedDepartmentId } from '@atrium/service-kit/directory/assigned-department';
import { groupsOf } from '../documents/visibility.ts';

/** A person of the directory as the rule of who reads what takes them. */
export const readerOfPerson = (person: DirectoryUser): [string, string[]] => [
  person._id,
  groupsOf({ role: person.role, departmentId: assignedDepartmentId(person) }),
];
