import type { EventOf } from '@atrium/proto-events/event';
import type { invitationCreated } from '@atrium/proto-events/events/auth';
import type { Queryable } from '@atrium/service-kit/postgres';
import { announceCreated, announceUpdated } from './announce-user.ts';
import { changedColumns } from './user-change.ts';
import { changeUser, insertUser, lockUser } from './user-repository.ts';

type Invitation = EventOf<typeof invitationCreated>;

/** Puts an invited person into the list, inactive. A second invitation corrects the first, until it is accepted. */
export async function takeInInvitedUser(event: Invitation, tx: Queryable): Promise<void> {
  const { userId, email, firstName, lastName, role, departmentId } = event.data;
  const given = { first_name: firstName, last_name: lastName, role, department_id: departmentId };
  const made = await insertUser(tx, {
    ...given,
    id: userId,
    email,
    status: 'inactive',
    invited: true,
    join_date: event.occurredAt,
  });
  if (made) return announceCreated(tx, made, event);
  const before = await lockUser(tx, userId);
  const change = before?.invited ? changedColumns(before, given) : {};
  const columns = Object.keys(change);
  if (columns.length === 0) return;
  const after = await changeUser(tx, userId, change);
  await announceUpdated(tx, after, { columns, actorId: event.actorId });
}
