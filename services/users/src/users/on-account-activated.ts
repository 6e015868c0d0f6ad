import type { EventOf } from '@atrium/proto-events/event';
import type { accountActivated } from '@atrium/proto-events/events/auth';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { publishUserUpdated } from './publish-user-events.ts';
import { changedColumns } from './user-change.ts';
import { changeUser, lockUser } from './user-repository.ts';

/** From then on only an administrator changes the status. */
export async function activateInvitedUser(event: EventOf<typeof accountActivated>, tx: Queryable): Promise<void> {
  const { userId, phone, location } = event.data;
  const before = await lockUser(tx, userId);
  if (!before?.invited) return;
  const change = {
    ...changedColumns(before, { status: 'active', invited: false, phone, location }),
    join_date: new Date(event.occurredAt),
  };
  const after = await changeUser(tx, userId, change);
  await publishUserUpdated(tx, after, { columns: Object.keys(change), actorId: event.actorId });
}
