import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id, time } from '../fields.ts';
import { role } from '../people.ts';

/** Browser and system in words, and network address; null for what is not known. */
const origin = { device: z.string().nullable(), address: z.string().nullable() };

const person = { userId: id, email: z.string(), firstName: z.string(), lastName: z.string(), role };

/** Somebody signed up: the first administrator, or a member where registration is open. Active at once. */
export const accountRegistered = defineEvent('auth.account.registered', 1, z.object(person));

/**
 * An invitation was made or sent again; the person is in the user list from now on. `sealedUrl` is the link, encrypted for the
 * notifications service (a compact JWE, direct key, A256GCM): no outbox row, stream or log ever holds a usable token.
 */
export const invitationCreated = defineEvent(
  'auth.invitation.created',
  1,
  z.object({
    ...person,
    invitationId: id,
    departmentId: id.nullable(),
    invitedBy: id,
    expiresAt: time,
    sealedUrl: z.string(),
  }),
);

/** An invited person set a password. */
export const accountActivated = defineEvent(
  'auth.account.activated',
  1,
  z.object({ userId: id, phone: z.string().optional(), location: z.string().optional() }),
);

/** Somebody signed in. */
export const sessionStarted = defineEvent('auth.session.started', 1, z.object({ userId: id, sessionId: id, at: time }));

/** Somebody signed in with a device that is not their first and has not signed in to their account before. */
export const deviceAdded = defineEvent(
  'auth.device.added',
  1,
  z.object({ userId: id, sessionId: id, at: time, ...origin }),
);

/** One session ended before its time; every process refuses its access tokens from now on. */
export const sessionRevoked = defineEvent(
  'auth.session.revoked',
  1,
  z.object({ userId: id, sessionId: id, reason: z.string() }),
);

/** An invitation was taken back before it was accepted: the person leaves the user list, their address is free. */
export const invitationRevoked = defineEvent('auth.invitation.revoked', 1, z.object({ invitationId: id, userId: id }));

/** The email of an invitation was sent or has failed; after `uncertain` another outcome may follow. */
export const invitationDelivered = defineEvent(
  'auth.invitation.delivered',
  1,
  z.object({ invitationId: id, userId: id, outcome: z.enum(['sent', 'failed', 'uncertain']) }),
);

/** Somebody asked for a new password. `sealedUrl` is the link, encrypted as in `auth.invitation.created`. */
export const passwordResetRequested = defineEvent(
  'auth.reset.requested',
  1,
  z.object({ resetId: id, userId: id, email: z.string(), expiresAt: time, sealedUrl: z.string() }),
);

/** An administrator made a link to a new password, to hand over to that person. The link itself is told nobody else. */
export const passwordResetMade = defineEvent(
  'auth.reset.made',
  1,
  z.object({ resetId: id, userId: id, madeBy: id, expiresAt: time }),
);

/** Somebody has a new password, by a link or by knowing the old one; their other sessions end by events of their own. */
export const passwordChanged = defineEvent(
  'auth.password.changed',
  1,
  z.object({
    userId: id,
    by: z.enum(['reset', 'change']),
    device: origin.device.optional(),
    address: origin.address.optional(),
  }),
);

/**
 * A user's sessions ended for the security of the account: all of them, or all but the one that changed the password. Anything else that
 * opens the account without signing in, such as a calendar feed, ends with them.
 */
export const accountSecured = defineEvent(
  'auth.account.secured',
  1,
  z.object({ userId: id, reason: z.enum(['password-changed', 'signed-out-everywhere', 'ended-by-administrator']) }),
);
