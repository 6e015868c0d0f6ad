import type { EventOf } from '@atrium/proto-events/event';
import type { invitationRevoked } from '@atrium/proto-events/events/auth';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { lockUser } from './user-repository.ts';
import { writeTombstone } from './write-tombstone.ts';

/** Deletes only users who have not accepted. */
export async function deleteInvitedUser(event: EventOf<typeof invitationRevoked>, tx: Queryable): Promise<void> {
  const person = await lockUser(tx, event.data.userId);
  if (person?.invited) await writeTombstone(tx, person, event);
}
