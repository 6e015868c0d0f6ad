import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { email, id, idParams, maxChars, optionalName, optionalPhone, pageQuery, shortEmail, time } from '../fields.ts';
import { pageOf } from '../pages.ts';
import { departmentRef, role, userSummary } from '../people.ts';
import { authResponse, COMMON_PASSWORD, knownDevice, newPassword, personNames } from './auth.ts';

export const inviteBody = z.object({ email, ...personNames, role, department: id.nullable().optional() });
export const acceptInviteBody = z.object({
  token: z
    .string({ error: 'Invalid invitation token' })
    .min(1, 'Invalid invitation token')
    .check(maxChars(200, 'Invalid invitation token')),
  password: newPassword,
  phone: optionalPhone.optional(),
  location: optionalName(200).optional(),
  ...knownDevice,
});

/**
 * State of an email. `queued`: also while the mail server is unavailable. `failed`: permanently rejected. `uncertain`:
 * the server did not confirm it.
 */
export const delivery = z.enum(['queued', 'sent', 'failed', 'uncertain']);
export type Delivery = z.infer<typeof delivery>;

export const invitation = z.object({
  _id: id,
  user: id.describe('The invited user, already in the user list'),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  role,
  department: departmentRef.nullable(),
  invitedBy: userSummary,
  createdAt: time,
  expiresAt: time,
  expired: z.boolean(),
  delivery,
});
export type Invitation = z.infer<typeof invitation>;

const invitationWithLink = invitation.extend({
  inviteUrl: z.string().describe('For the administrator to copy; only in this response'),
});

const INVITE_DENIED = 'Only administrators can invite people';

export const invite = endpoint({
  method: 'POST',
  path: '/auth/invite',
  summary: 'Invite a person by email (administrators)',
  access: 'admin',
  forbiddenMessage: INVITE_DENIED,
  idempotent: true,
  body: inviteBody,
  response: invitationWithLink,
  status: 201,
  errors: ['conflict'],
  rules: ['Unknown department'],
});

export const MAX_INVITATIONS_PER_LIST = 200;

/** An email address that cannot be invited because it has an account or an invitation. */
export const knownEmail = z.object({ email: z.string(), state: z.enum(['active', 'invited']) });
export type KnownEmail = z.infer<typeof knownEmail>;

export const checkInvites = endpoint({
  method: 'POST',
  path: '/auth/invites/check',
  summary: 'List which of these email addresses already have an account or an invitation (administrators)',
  access: 'admin',
  forbiddenMessage: INVITE_DENIED,
  body: z.object({
    emails: z
      .array(shortEmail)
      .min(1, 'Please enter at least one email address')
      .max(MAX_INVITATIONS_PER_LIST, `Up to ${MAX_INVITATIONS_PER_LIST} people can be invited at a time`),
  }),
  response: z.object({ data: z.array(knownEmail) }),
  status: 200,
  maxBodyBytes: 262_144,
});

export const acceptInvite = endpoint({
  method: 'POST',
  path: '/auth/accept-invite',
  summary: 'Activate an invited account and sign in',
  access: 'public',
  body: acceptInviteBody,
  response: authResponse,
  status: 201,
  errors: ['invalid_token', 'token_expired'],
  rules: [COMMON_PASSWORD],
});

export const listInvites = endpoint({
  method: 'GET',
  path: '/auth/invites',
  summary: 'List pending invitations, newest first (administrators)',
  access: 'admin',
  forbiddenMessage: INVITE_DENIED,
  query: pageQuery,
  response: pageOf(invitation),
  status: 200,
});

export const resendInvite = endpoint({
  method: 'POST',
  path: '/auth/invites/:id/resend',
  summary: 'Resend an invitation with a new link for seven days; the old link is revoked (administrators)',
  access: 'admin',
  forbiddenMessage: INVITE_DENIED,
  params: idParams,
  response: invitationWithLink,
  status: 200,
  errors: ['not_found'],
});

export const revokeInvite = endpoint({
  method: 'DELETE',
  path: '/auth/invites/:id',
  summary: 'Revoke an invitation; the person leaves the user list and the address becomes free (administrators)',
  access: 'admin',
  forbiddenMessage: INVITE_DENIED,
  params: idParams,
  status: 204,
  errors: ['not_found'],
});
