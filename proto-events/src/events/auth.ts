import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id, time } from '../fields.ts';
import { role } from '../people.ts';

/** Browser and operating system as text, and IP address; null if unknown. */
const client = { device: z.string().nullable(), address: z.string().nullable() };

const userFields = { userId: id, email: z.string(), firstName: z.string(), lastName: z.string(), role };

/** A user registered: the first administrator, or a member where registration is open. Active immediately. */
export const accountRegistered = defineEvent('auth.account.registered', 1, z.object(userFields));

/**
 * An invitation was created or resent; the user is now in the user list. `sealedUrl` is the link, encrypted for the
 * notifications service (a compact JWE, direct key, A256GCM): no outbox row, stream, or log contains a usable token.
 */
export const invitationCreated = defineEvent(
  'auth.invitation.created',
  1,
  z.object({
    ...userFields,
    invitationId: id,
    departmentId: id.nullable(),
    invitedBy: id,
    expiresAt: time,
    sealedUrl: z.string(),
  }),
);

/** An invited user set a password. */
export const accountActivated = defineEvent(
  'auth.account.activated',
  1,
  z.object({ userId: id, phone: z.string().optional(), location: z.string().optional() }),
);

export const sessionStarted = defineEvent('auth.session.started', 1, z.object({ userId: id, sessionId: id, at: time }));

/** A user signed in with a device that is not their first and is new to their account. */
export const deviceAdded = defineEvent(
  'auth.device.added',
  1,
  z.object({ userId: id, sessionId: id, at: time, ...client }),
);

/** A session ended before it expired; every process rejects its access tokens from now on. */
export const sessionRevoked = defineEvent(
  'auth.session.revoked',
  1,
  z.object({ userId: id, sessionId: id, reason: z.string() }),
);

/** An invitation was revoked before it was accepted: the user leaves the user list, and their address becomes free. */
export const invitationRevoked = defineEvent('auth.invitation.revoked', 1, z.object({ invitationId: id, userId: id }));

/** The email of an invitation was sent or failed; after `uncertain`, another outcome may follow. */
export const invitationDelivered = defineEvent(
  'auth.invitation.delivered',
  1,
  z.object({ invitationId: id, userId: id, outcome: z.enum(['sent', 'failed', 'uncertain']) }),
);

/** A password reset was requested. `sealedUrl` is the link, encrypted as in `auth.invitation.created`. */
export const passwordResetRequested = defineEvent(
  'auth.reset.requested',
  1,
  z.object({ resetId: id, userId: id, email: z.string(), expiresAt: time, sealedUrl: z.string() }),
);

/** An administrator created a password reset link for a user. The event does not contain the link. */
export const passwordResetCreated = defineEvent(
  'auth.reset.made',
  1,
  z.object({ resetId: id, userId: id, madeBy: id, expiresAt: time }),
);

/** A password was reset or changed; the user's other sessions end with separate events. */
export const passwordChanged = defineEvent(
  'auth.password.changed',
  1,
  z.object({
    userId: id,
    by: z.enum(['reset', 'change']),
    device: client.device.optional(),
    address: client.address.optional(),
  }),
);

/**
 * All sessions of a user ended for security, or all but the one that changed the password. Other credentials,
 * such as calendar feeds, are revoked with them.
 */
export const accountSecured = defineEvent(
  'auth.account.secured',
  1,
  z.object({ userId: id, reason: z.enum(['password-changed', 'signed-out-everywhere', 'ended-by-administrator']) }),
);
