import type { DirectoryUser, Role } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';

let made = 0;

/** A person for the directory, active unless told otherwise; an inactive one was active once, and their sessions have ended. */
export function buildUser(given: Partial<DirectoryUser> & { role?: Role } = {}): DirectoryUser {
  made += 1;
  return {
    _id: newId(),
    firstName: 'Person',
    lastName: `Number ${made}`,
    email: `person${made}@example.org`,
    role: 'member',
    status: 'active',
    departmentId: null,
    avatar: null,
    timezone: 'UTC',
    deleted: false,
    sessionsValidAfter: given.status === 'inactive' ? 1 : 0,
    version: 1,
    ...given,
  };
}
