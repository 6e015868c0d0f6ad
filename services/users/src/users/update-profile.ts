import type { updateProfileBody } from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { assertVersion, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { presentUser } from './present-user.ts';
import { publishUserUpdated } from './publish-user-events.ts';
import { toChange } from './user-change.ts';
import { changeUser, lockUser, type UserChange, type UserRow } from './user-repository.ts';

export async function updateProfile(
  { db }: Deps,
  { userId }: Caller,
  body: z.output<typeof updateProfileBody>,
): Promise<User> {
  return db.transaction(async (tx) => {
    const before = await lockUser(tx, userId);
    if (!before) throw notFound('User');
    assertVersion(before, { version: body.version, what: 'this person', present: () => presentUser(before) });
    const change = withSelfAssignment(before, await toChange(tx, before, body));
    const columns = Object.keys(change);
    if (columns.length === 0) return presentUser(before);
    const after = await changeUser(tx, userId, change);
    await publishUserUpdated(tx, after, { columns, actorId: userId });
    return presentUser(after);
  });
}

/** A self-assigned department grants no access to documents shared with it; returning to the assigned one restores that. */
function withSelfAssignment(before: UserRow, change: UserChange): UserChange {
  if (change.department_id === undefined) return change;
  const assigned = before.department_self_assigned ? before.assigned_department_id : before.department_id;
  const isChosen = before.role !== 'admin' && change.department_id !== assigned;
  return { ...change, department_self_assigned: isChosen, assigned_department_id: isChosen ? assigned : null };
}
