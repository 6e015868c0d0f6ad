import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id } from '../fields.ts';
import { departmentResponse } from '../http/departments.ts';
import { userCounts } from '../http/users.ts';
import { role, sharedUser, userStatus } from '../people.ts';

const userFields = { userId: id, role, status: userStatus, version: z.int(), user: sharedUser.optional() };

/** A user was added to the user list: registered or invited. */
export const userCreated = defineEvent('users.user.created', 1, z.object({ ...userFields, invited: z.boolean() }));

/** A user changed; `changed` names the fields. The values are in the directory. */
export const userUpdated = defineEvent(
  'users.user.updated',
  1,
  z.object({ ...userFields, changed: z.array(z.string()) }),
);

/**
 * All sessions of a user ended because of deactivation or a new role. Tokens issued before `validAfter` (ms since
 * 1970) are rejected.
 */
export const sessionsEnded = defineEvent(
  'users.sessions.ended',
  1,
  z.object({
    userId: id,
    validAfter: z.int(),
    reason: z.enum(['deactivated', 'role-changed', 'deleted', 'password-changed']),
  }),
);

/**
 * A user was deleted: the directory keeps a tombstone, their address becomes free, and their content remains.
 */
export const userDeleted = defineEvent('users.user.deleted', 1, z.object({ userId: id, version: z.int() }));

/**
 * A user was deactivated or deleted. Each service removes them from everything current or upcoming (teams, open tasks,
 * upcoming meetings, groups, shares, calendar feeds). Reactivation restores nothing.
 */
export const userDeactivated = defineEvent(
  'users.user.departed',
  1,
  z.object({ userId: id, reason: z.enum(['deactivated', 'deleted']), version: z.int() }),
);

/** At most two per second, after changes of users. */
export const userCountsChanged = defineEvent('users.counts.changed', 1, userCounts);

const departmentFields = {
  departmentId: id,
  name: z.string(),
  isActive: z.boolean(),
  version: z.int(),
  department: departmentResponse.optional(),
};

export const departmentCreated = defineEvent('users.department.created', 1, z.object(departmentFields));

/** A department was renamed, deactivated, or reactivated; `changed` names the fields. */
export const departmentUpdated = defineEvent(
  'users.department.updated',
  1,
  z.object({ ...departmentFields, changed: z.array(z.string()) }),
);

export const departmentDeleted = defineEvent('users.department.deleted', 1, z.object(departmentFields));
