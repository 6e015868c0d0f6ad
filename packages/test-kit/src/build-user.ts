import type { DirectoryUser, Role } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';

let userCount = 0;

/** Builds a user of the directory, active by default. An inactive user was deactivated, which ended all sessions. */
export function buildUser(fields: Partial<DirectoryUser> & { role?: Role } = {}): DirectoryUser {
  userCount += 1;
  return {
    _id: newId(),
    firstName: 'Person',
    lastName: `Number ${userCount}`,
    email: `person${userCount}@example.org`,
    role: 'member',
    status: 'active',
    departmentId: null,
    avatar: null,
    timezone: 'UTC',
    deleted: false,
    sessionsValidAfter: fields.status === 'inactive' ? 1 : 0,
    version: 1,
    ...fields,
  };
}
