import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id } from '../fields.ts';
import { role, userStatus } from '../people.ts';

const facts = { userId: id, role, status: userStatus, version: z.int() };

/** A person is in the user list: signed up or invited. */
export const userCreated = defineEvent('users.user.created', 1, z.object({ ...facts, invited: z.boolean() }));

/** Something about a person changed; `changed` names the fields. Names and the rest stand in the directory. */
export const userUpdated = defineEvent('users.user.updated', 1, z.object({ ...facts, changed: z.array(z.string()) }));

/** Every session of a person ended: deactivated, or a new role. Tokens issued before `validAfter` (ms since 1970) are refused. */
export const sessionsEnded = defineEvent(
  'users.sessions.ended',
  1,
  z.object({
    userId: id,
    validAfter: z.int(),
    reason: z.enum(['deactivated', 'role-changed', 'deleted', 'password-changed']),
  }),
);

/** A person was deleted: the directory keeps a tombstone, their address is free, what they wrote stays (decisions, section 3). */
export const userDeleted = defineEvent('users.user.deleted', 1, z.object({ userId: id, version: z.int() }));

/**
 * A user can no longer sign in: deactivated or deleted. Each service removes them from what lies ahead (teams, open tasks, future meetings,
 * groups, shares, calendar feeds). Reactivation restores nothing.
 */
export const userDeparted = defineEvent(
  'users.user.departed',
  1,
  z.object({ userId: id, reason: z.enum(['deactivated', 'deleted']), version: z.int() }),
);

const departmentFacts = { departmentId: id, name: z.string(), isActive: z.boolean(), version: z.int() };

export const departmentCreated = defineEvent('users.department.created', 1, z.object(departmentFacts));

/** Renamed, deactivated or brought back; `changed` names the fields. */
export const departmentUpdated = defineEvent(
  'users.department.updated',
  1,
  z.object({ ...departmentFacts, changed: z.array(z.string()) }),
);

export const departmentDeleted = defineEvent('users.department.deleted', 1, z.object(departmentFacts));
