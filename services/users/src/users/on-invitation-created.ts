import type { EventOf } from '@atrium/proto-events/event';
import type { invitationCreated } from '@atrium/proto-events/events/auth';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { publishUserCreated } from './publish-user-events.ts';
import { insertUser } from './user-repository.ts';

/** A resent invitation changes nothing: edits by administrators stay. An email invited again after a revocation is a new account. */
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
  if (row) await publishUserCreated(tx, row, event);
}
