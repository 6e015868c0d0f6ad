import { type resetPassword, resetPasswordBody } from '@atrium/proto-events/http/passwords';
import { call } from '#lib/api/api.ts';
import { ApiError } from '#lib/api/api-error.ts';
import { showFieldErrors } from '#lib/api/server-errors.ts';
import { storedDeviceToken } from '#lib/api/tokens.ts';
import { confirmation, isConfirmed, PASSWORD_MISMATCH } from '#lib/forms/confirmed-password.ts';
import { useEntryForm } from '#lib/forms/use-entry-form.ts';
import { signIn } from '#lib/session/session.ts';
import { NewPasswordFields } from '#ui/fields/new-password-fields.tsx';
import { reportFailure, showSuccess } from '#ui/overlays/toast.ts';
import { SignedOutForm } from './signed-out-form.tsx';

const resetPasswordSchema = resetPasswordBody.extend(confirmation).refine(isConfirmed, PASSWORD_MISMATCH);

export type LinkError = 'invalid' | 'expired';

type Props = { token: string; onDone: () => void; onLinkError: (error: LinkError) => void };

export function ResetPasswordForm({ token, onDone, onLinkError }: Props) {
  const form = useEntryForm({
    isShortLived: true,
    schema: resetPasswordSchema,
    defaultValues: { token, password: '', confirmPassword: '' },
  });
  const submit = form.handleSubmit(async ({ confirmPassword: _, ...body }) => {
    try {
      const response = await call<typeof resetPassword>(
        'POST /auth/reset-password',
        { body: { ...body, ...storedDeviceToken() } },
        { isAnonymous: true },
      );
      // Signing in clears the toasts of the previous user, so this toast is shown after it has started.
      const signingIn = signIn(response);
      showSuccess('Password changed', 'You are signed in here and have been signed out everywhere else.');
      await signingIn;
      onDone();
    } catch (error) {
      const linkError = getLinkError(error);
      if (linkError) return onLinkError(linkError);
      if (showFieldErrors(error, ['password'], form.setError)) return;
      reportFailure({ form }, error, 'Failed to set the password. Please try again.');
    }
  });
  return (
    <SignedOutForm form={form} onSubmit={submit} action="Set New Password" busyAction="Saving...">
      <NewPasswordFields label="New password" confirmLabel="Confirm new password" autoFocus />
    </SignedOutForm>
  );
}

function getLinkError(error: unknown): LinkError | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'token_expired') return 'expired';
  const isAboutToken = error.code === 'invalid_token' || error.errors.some(({ path }) => path.endsWith('token'));
  return isAboutToken ? 'invalid' : null;
}
