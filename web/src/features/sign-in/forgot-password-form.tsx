import { type forgotPassword, forgotPasswordBody } from '@atrium/proto-events/http/passwords';
import { call } from '#lib/api/api.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { useEntryForm } from '#lib/forms/use-entry-form.ts';
import { TextField } from '#ui/fields/text-field.tsx';
import { reportFailure } from '#ui/overlays/toast.ts';
import { SignedOutForm } from './signed-out-form.tsx';

type Props = { email: string; onSent: (email: string) => void };

/** Requests a reset link by email; the result is the same whether the address is known or not. */
export function ForgotPasswordForm({ email, onSent }: Props) {
  const form = useEntryForm({
    isShortLived: true,
    schema: forgotPasswordBody,
    defaultValues: { email },
  });
  const submit = form.handleSubmit(async (body) => {
    try {
      await call<typeof forgotPassword>('POST /auth/forgot-password', { body }, { isAnonymous: true });
      onSent(body.email);
    } catch (error) {
      reportFailure({ form }, error, 'Failed to send the link. Please try again.');
    }
  });
  return (
    <SignedOutForm form={form} onSubmit={submit} action="Send Reset Link" busyAction="Sending...">
      <FormField control={form.control} name="email">
        {(field) => <TextField {...field} label="Email" type="email" autoComplete="username" isRequired autoFocus />}
      </FormField>
    </SignedOutForm>
  );
}
