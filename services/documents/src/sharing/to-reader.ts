import type { DirectoryUser } from '@atrium/proto-events/people';
import { assignedDepartmentId } from '@atrium/service-kit/directory/assigned-department';
import { groupsOf } from '../documents/visibility.ts';

export const toReader = (user: DirectoryUser): [string, string[]] => [
  user._id,
  groupsOf({ role: user.role, departmentId: assignedDepartmentId(user) }),
];
