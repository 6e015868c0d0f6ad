import type { EventOf } from '@atrium/proto-events/event';
import type { invitationCreated } from '@atrium/proto-events/events/auth';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { announceCreated } from './publish-user-events.ts';
import { insertUser } from './user-repository.ts';

/**
 * Puts an invited person into the list, inactive. An invitation sent again tells nothing new of them: what an administrator has
 * changed meanwhile stays. Inviting an address anew, after its invitation was taken back, makes another account.
 */
export async function createInvitedUser(event: EventOf<typeof invitationCreated>, tx: Queryable): Promise<void> {
  const { userId, email, firstName, lastName, role, departmentId } = event.data;
  const row = await insertUser(tx, {
    id: userId,
    email,
    first_name: firstName,
    last_name: lastName,
    role,
    department_id: departmentId,
    status: 'inactive',
    invited: true,
    join_date: event.occurredAt,
  });
  if (row) await announceCreated(tx, row, event);
}
