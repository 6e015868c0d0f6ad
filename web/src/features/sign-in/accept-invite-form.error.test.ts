import { describe, expect, it } from '@jest/globals';
import { errorFromResponse, networkError } from '#lib/api/api-error.ts';
import { getInviteError } from './accept-invite-form.tsx';

const rejection = (message?: string) => errorFromResponse(400, message ? { message } : {});

describe('invitation error', () => {
  it("shows the server's message", () => {
    expect(getInviteError(rejection('Invitation token has expired'))).toBe(
      'This invitation has expired. Please contact your administrator for a new invite.',
    );
    expect(getInviteError(rejection('Token invalid'))).toBe(
      'Invalid invitation token. Please check your invitation link.',
    );
    expect(getInviteError(rejection('Phone is wrong'))).toBe('Phone is wrong');
  });

  it('shows the default without a server message, and a network error without a response', () => {
    expect(getInviteError(rejection())).toBe('Failed to accept invitation. Please try again.');
    expect(getInviteError(networkError())).toBe('Network error - please check your connection');
  });
});
