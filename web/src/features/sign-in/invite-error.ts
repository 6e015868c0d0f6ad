import { ApiError, messageOf } from '#lib/api/api-error.ts';

/** The text for a rejected invitation, by the server's message. */
export function getInviteError(error: unknown): string {
  const message = error instanceof ApiError ? error.message.toLowerCase() : '';
  if (message.includes('expired'))
    return 'This invitation has expired. Please contact your administrator for a new invite.';
  if (message.includes('invalid')) return 'Invalid invitation token. Please check your invitation link.';
  return messageOf(error, 'Failed to accept invitation. Please try again.');
}
