import * as people from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';

/** Throws `validation_failed` unless all of them are active users. */
export const assertActiveParticipants = (directory: Directory, field: string, ids: readonly string[]): void =>
  people.assertActiveUsers(directory, ids, { field, message: 'Participants must be active users' });
