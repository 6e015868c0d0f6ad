import type { EventOf } from '@atrium/proto-events/event';
import type {
  accountActivated,
  accountRegistered,
  invitationCreated,
  invitationRevoked,
  sessionStarted,
} from '@atrium/proto-events/events/auth';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { appendUserCreated, appendUserUpdated } from './append-user-events.ts';
import { writeTombstone } from './delete-user.ts';
import { changedColumns } from './user-change.ts';
import { changeUser, insertUser, lockUser, recordLogin } from './user-repository.ts';

export async function createRegisteredUser(event: EventOf<typeof accountRegistered>, tx: Queryable): Promise<void> {
  const row = await insertUser(tx, { ...toNewUser(event), status: 'active', invited: false, department_id: null });
  if (row) await appendUserCreated(tx, row, event);
}

/**
 * A resent invitation changes nothing, so that edits by administrators stay. An email invited again after a revocation
 * is a new account.
 */
export async function createInvitedUser(event: EventOf<typeof invitationCreated>, tx: Queryable): Promise<void> {
  const { departmentId } = event.data;
  const row = await insertUser(tx, {
    ...toNewUser(event),
    status: 'inactive',
    invited: true,
    department_id: departmentId,
  });
  if (row) await appendUserCreated(tx, row, event);
}

const toNewUser = ({ data, occurredAt }: EventOf<typeof accountRegistered | typeof invitationCreated>) => ({
  id: data.userId,
  email: data.email,
  first_name: data.firstName,
  last_name: data.lastName,
  role: data.role,
  join_date: occurredAt,
});

/** Activates the user once; after that, only an administrator can change the status. */
export async function activateInvitedUser(event: EventOf<typeof accountActivated>, tx: Queryable): Promise<void> {
  const { userId, phone, location } = event.data;
  const before = await lockUser(tx, userId);
  if (!before?.invited) return;
  const change = {
    ...changedColumns(before, { status: 'active', invited: false, phone, location }),
    join_date: new Date(event.occurredAt),
  };
  const after = await changeUser(tx, userId, change);
  await appendUserUpdated(tx, after, { columns: Object.keys(change), actorId: event.actorId });
}

export async function deleteInvitedUser(event: EventOf<typeof invitationRevoked>, tx: Queryable): Promise<void> {
  const user = await lockUser(tx, event.data.userId);
  if (user?.invited) await writeTombstone(tx, user, event);
}

export async function recordLastLogin({ data }: EventOf<typeof sessionStarted>, tx: Queryable): Promise<void> {
  await recordLogin(tx, data.userId, data.at);
}
