import type { EventOf } from '@atrium/proto-events/event';
import type { invitationRevoked } from '@atrium/proto-events/events/auth';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { lockUser } from './user-repository.ts';
import { leaveTombstone } from './write-tombstone.ts';

/** Takes somebody out of the list who never came. Who has accepted stays: only an administrator deletes them. */
export async function deleteInvitedUser(event: EventOf<typeof invitationRevoked>, tx: Queryable): Promise<void> {
  const person = await lockUser(tx, event.data.userId);
  if (person?.invited) await leaveTombstone(tx, person, event);
}
