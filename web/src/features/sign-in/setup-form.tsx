import { type register, registerBody } from '@atrium/proto-events/http/auth';
import { useState } from 'react';
import { styled } from 'styled-components';
import { z } from 'zod';
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
import { announceFailure } from '#ui/overlays/toast.ts';
import { theme } from '#ui/theme.ts';
import { SignedOutForm } from './signed-out-form.tsx';

const setupSchema = (isTokenRequired: boolean) =>
  registerBody
    .omit({ device: true })
    .extend(confirmation)
    .extend({
      setupToken: z
        .string()
        .trim()
        .max(500)
        .refine((token) => !isTokenRequired || token !== '', 'Setup token is required'),
    })
    .refine(isConfirmed, PASSWORD_MISMATCH);

const EMPTY = { firstName: '', lastName: '', email: '', password: '', confirmPassword: '' };

type Props = { isTokenRequired: boolean; token: string | null; onDone: () => void };

export function SetupForm({ isTokenRequired, token, onDone }: Props) {
  const form = useEntryForm({
    isShortLived: true,
    schema: setupSchema(isTokenRequired),
    defaultValues: { ...EMPTY, setupToken: token ?? '' },
  });
  const [hasTokenField, setHasTokenField] = useState(isTokenRequired && token === null);
  const submit = form.handleSubmit(async ({ confirmPassword: _, setupToken, ...admin }) => {
    const body = { ...admin, ...(setupToken && { setupToken }), ...storedDeviceToken() };
    try {
      const response = await call<typeof register>('POST /auth/register', { body }, { isAnonymous: true });
      onDone();
      await signIn(response);
    } catch (error) {
      if (showFieldErrors(error, ['firstName', 'lastName', 'email', 'password', 'setupToken'], form.setError)) return;
      const message = messageOf(error, 'An error occurred');
      const failure = announceFailure('Setup failed', message);
      if (isTokenRequired && error instanceof ApiError && error.status === 403) {
        setHasTokenField(true);
        form.setError('setupToken', { message });
      } else form.setFailure(failure);
    }
  });
  return (
    <SignedOutForm form={form} onSubmit={submit} action="Create administrator account">
      <Names>
        <FormField control={form.control} name="firstName">
          {(field) => <TextField {...field} label="First name" autoComplete="given-name" isRequired />}
        </FormField>
        <FormField control={form.control} name="lastName">
          {(field) => <TextField {...field} label="Last name" autoComplete="family-name" isRequired />}
        </FormField>
      </Names>
      <FormField control={form.control} name="email">
        {(field) => <TextField {...field} label="Email" type="email" autoComplete="username" isRequired />}
      </FormField>
      <NewPasswordFields />
      {hasTokenField && (
        <FormField control={form.control} name="setupToken">
          {(field) => (
            <TextField
              {...field}
              label="Setup token"
              autoComplete="off"
              description="Ask the person who installed Atrium."
              isRequired
            />
          )}
        </FormField>
      )}
    </SignedOutForm>
  );
}

const Names = styled.div`
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: ${theme.space[4]};
`;
