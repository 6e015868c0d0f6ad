import type { EventOf } from '@atrium/proto-events/event';
import type { accountRegistered } from '@atrium/proto-events/events/auth';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { publishUserCreated } from './publish-user-events.ts';
import { insertUser } from './user-repository.ts';

export async function createRegisteredUser(event: EventOf<typeof accountRegistered>, tx: Queryable): Promise<void> {
  const { userId, email, firstName, lastName, role } = event.data;
  const row = await insertUser(tx, {
    id: userId,
    email,
    first_name: firstName,
    last_name: lastName,
    role,
    status: 'active',
    invited: false,
    department_id: null,
    join_date: event.occurredAt,
  });
  if (row) await publishUserCreated(tx, row, event);
}
