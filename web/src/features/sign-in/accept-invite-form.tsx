import { type acceptInvite, acceptInviteBody } from '@atrium/proto-events/http/invitations';
import { isolate } from '@atrium/proto-events/text/isolate';
import type { z } from 'zod';
import { call } from '#lib/api/api.ts';
import { ApiError, messageOf } from '#lib/api/api-error.ts';
import { showFieldErrors } from '#lib/api/server-errors.ts';
import { storedDeviceToken } from '#lib/api/tokens.ts';
import { confirmation, isConfirmed, PASSWORD_MISMATCH } from '#lib/forms/confirmed-password.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { useEntryForm } from '#lib/forms/use-entry-form.ts';
import { signIn } from '#lib/session/session.ts';
import { NewPasswordFields } from '#ui/fields/new-password-fields.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { announceFailure, showError, showSuccess } from '#ui/overlays/toast.ts';
import { SignedOutForm } from './signed-out-form.tsx';

const acceptInviteSchema = acceptInviteBody
  .required({ phone: true, location: true })
  .extend(confirmation)
  .refine(isConfirmed, PASSWORD_MISMATCH);

type Props = { token: string; onAccepted: () => void };

export function AcceptInviteForm({ token, onAccepted }: Props) {
  const defaultValues = { token, password: '', confirmPassword: '', phone: '', location: '' };
  const form = useEntryForm({ isShortLived: true, schema: acceptInviteSchema, defaultValues });
  const accept = async ({ confirmPassword: _, ...body }: z.output<typeof acceptInviteSchema>) => {
    try {
      const response = await call<typeof acceptInvite>(
        'POST /auth/accept-invite',
        { body: { ...body, ...storedDeviceToken() } },
        { isAnonymous: true },
      );
      // Signing in clears the toasts of the previous user, so this toast is shown after it has started.
      const signingIn = signIn(response);
      showSuccess(
        'Welcome!',
        `Your account has been activated. Welcome to the team, ${isolate(response.user.firstName)}!`,
      );
      await signingIn;
      onAccepted();
    } catch (error) {
      if (showFieldErrors(error, ['password', 'phone', 'location'], form.setError)) return;
      form.setFailure(announceFailure('Error', getInviteError(error)));
    }
  };
  // The token has no field that could show its error.
  const submit = form.handleSubmit(
    accept,
    ({ token: tokenError }) => tokenError?.message && showError('Error', tokenError.message),
  );
  const isBusy = (form.formState.isSubmitting || form.formState.isSubmitSuccessful) && !form.failure;
  return (
    <SignedOutForm
      form={form}
      onSubmit={submit}
      action="Accept Invitation & Join Team"
      busyAction="Activating Account..."
      isBusy={isBusy}
    >
      <NewPasswordFields />
      <FormField control={form.control} name="phone">
        {(field) => <TextField {...field} label="Phone (optional)" type="tel" autoComplete="tel" />}
      </FormField>
      <FormField control={form.control} name="location">
        {(field) => <TextField {...field} label="Location (optional)" autoComplete="address-level2" />}
      </FormField>
    </SignedOutForm>
  );
}

export function getInviteError(error: unknown): string {
  const message = error instanceof ApiError ? error.message.toLowerCase() : '';
  if (message.includes('expired'))
    return 'This invitation has expired. Please contact your administrator for a new invite.';
  if (message.includes('invalid')) return 'Invalid invitation token. Please check your invitation link.';
  return messageOf(error, 'Failed to accept invitation. Please try again.');
}
