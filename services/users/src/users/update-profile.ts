import type { updateProfileBody } from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { assertVersion, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { appendUserUpdated } from './append-user-events.ts';
import { presentUser } from './present-user.ts';
import { toUserChange } from './user-change.ts';
import { changeUser, lockUser, type UserChange, type UserRow } from './user-repository.ts';

export async function updateProfile(
  { db }: Deps,
  { userId }: Caller,
  body: z.output<typeof updateProfileBody>,
): Promise<User> {
  return db.transaction(async (tx) => {
    const before = await lockUser(tx, userId);
    if (!before) throw notFound('User');
    assertVersion(before, { version: body.version, label: 'this person', present: () => presentUser(before) });
    const change = addSelfAssignment(before, await toUserChange(tx, before, body));
    const columns = Object.keys(change);
    if (columns.length === 0) return presentUser(before);
    const after = await changeUser(tx, userId, change);
    await appendUserUpdated(tx, after, { columns, actorId: userId });
    return presentUser(after);
  });
}

/**
 * A self-assigned department grants no access to documents shared with it; switching back to the assigned department
 * restores that access.
 */
function addSelfAssignment(before: UserRow, change: UserChange): UserChange {
  if (change.department_id === undefined) return change;
  const assignedId = before.department_self_assigned ? before.assigned_department_id : before.department_id;
  const isSelfAssigned = before.role !== 'admin' && change.department_id !== assignedId;
  return {
    ...change,
    department_self_assigned: isSelfAssigned,
    assigned_department_id: isSelfAssigned ? assignedId : null,
  };
}
