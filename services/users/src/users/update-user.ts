import { sessionsEnded, userDeactivated } from '@atrium/proto-events/events/users';
import type { updateUserBody } from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { AppError, assertVersion, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { assertAdministrator, hasOtherActiveAdministrator, lockAdministrators } from './administrators.ts';
import { appendUserUpdated } from './append-user-events.ts';
import { canUpdate, removesActiveAdmin, UPDATE_DENIED } from './policy.ts';
import { presentUserTo, toDirectoryEntry } from './present-user.ts';
import { changedColumns, clearDepartmentSelfAssigned, toUserChange } from './user-change.ts';
import { changeUser, findUser, getSessionCutoff, lockUser, type UserChange, type UserRow } from './user-repository.ts';

type Body = z.output<typeof updateUserBody>;

/** Updates a user. A new role or status ends all of their sessions, and one active administrator always remains. */
export async function updateUser(
  { db, directory }: Deps,
  caller: Caller,
  { id, body }: { id: string; body: Body },
): Promise<User> {
  if (!canUpdate(caller)) {
    throw (await findUser(db, id)) ? new AppError('forbidden', UPDATE_DENIED) : notFound('User');
  }
  const updatedUser = await db.transaction(async (tx) => {
    const changesAccess = body.role !== undefined || body.status !== undefined;
    if (changesAccess) await lockAdministrators(tx);
    await assertAdministrator(tx, caller, UPDATE_DENIED);
    const before = await lockUser(tx, id);
    if (!before) throw notFound('User');
    assertVersion(before, {
      version: body.version,
      label: 'this person',
      present: () => presentUserTo(caller, before),
    });
    if (changesAccess) await assertRoleAndStatusChange(tx, before, body);
    const change = await addSessionCutoff(tx, before, {
      ...(await toUserChange(tx, before, body)),
      ...changedColumns(before, clearDepartmentSelfAssigned(body)),
    });
    const columns = Object.keys(change);
    if (columns.length === 0) return before;
    const after = await changeUser(tx, id, change);
    await appendUserUpdated(tx, after, { columns, actorId: caller.userId });
    await appendSessionsEnded(tx, { before, after, caller });
    return after;
  });
  // Applies the change in this process immediately, even during a NATS outage.
  directory.putUser(toDirectoryEntry(updatedUser));
  return presentUserTo(caller, updatedUser);
}

async function assertRoleAndStatusChange(tx: Queryable, before: UserRow, body: Body): Promise<void> {
  if (before.invited && body.status === 'active') {
    throw new AppError('conflict', 'This person has not accepted the invitation yet');
  }
  if (removesActiveAdmin(before, body) && !(await hasOtherActiveAdministrator(tx, before.id))) {
    throw new AppError('conflict', 'The last active administrator cannot be demoted or deactivated');
  }
}

async function addSessionCutoff(tx: Queryable, before: UserRow, change: UserChange): Promise<UserChange> {
  const endsSessions = change.role !== undefined || change.status !== undefined;
  return endsSessions ? { ...change, sessions_valid_after: await getSessionCutoff(tx, before) } : change;
}

type SessionsEndedParams = { before: UserRow; after: UserRow; caller: Caller };

async function appendSessionsEnded(tx: Queryable, { before, after, caller }: SessionsEndedParams): Promise<void> {
  const isDeactivated = before.status === 'active' && after.status === 'inactive';
  if (!isDeactivated && before.role === after.role) return;
  if (isDeactivated) {
    await appendEvent(tx, {
      event: userDeactivated,
      data: { userId: after.id, reason: 'deactivated', version: after.version },
      aggregate: after.id,
      actorId: caller.userId,
    });
  }
  await appendEvent(tx, {
    event: sessionsEnded,
    data: {
      userId: after.id,
      validAfter: after.sessions_valid_after,
      reason: isDeactivated ? 'deactivated' : 'role-changed',
    },
    aggregate: after.id,
    actorId: caller.userId,
  });
}
