import type { register } from '@atrium/proto-events/http/auth';
import { zodResolver } from '@hookform/resolvers/zod';
import { FormProvider } from 'react-hook-form';
import { styled } from 'styled-components';
import { call } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { knownDevice } from '../../lib/device-mark.ts';
import { FormField } from '../../lib/form-field.tsx';
import { showFieldErrors } from '../../lib/server-errors.ts';
import { signIn } from '../../lib/session.ts';
import { useEntryForm } from '../../lib/use-entry-form.ts';
import { Button } from '../../ui/button.tsx';
import { NewPasswordFields } from '../../ui/new-password-fields.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { theme } from '../../ui/theme.ts';
import { showError } from '../../ui/toast.ts';
import { EntranceForm } from './entrance-form.ts';
import { setupSchema } from './setup-schema.ts';
import { forgetSetup } from './use-setup.ts';

const defaultValues = { firstName: '', lastName: '', email: '', password: '', confirmPassword: '' };

/** Creates the first administrator of an empty workspace. */
export function SetupForm() {
  const form = useEntryForm({ isShortLived: true, resolver: zodResolver(setupSchema), defaultValues });
  const submit = form.handleSubmit(async ({ confirmPassword: _, ...body }) => {
    try {
      const answer = await call<typeof register>(
        'POST /auth/register',
        { body: { ...body, ...knownDevice() } },
        { isAnonymous: true },
      );
      await signIn(answer);
      forgetSetup();
    } catch (error) {
      if (showFieldErrors(error, ['firstName', 'lastName', 'email', 'password'], form.setError)) return;
      showError('Set-up failed', messageOf(error, 'An error occurred'));
    }
  });
  return (
    <FormProvider {...form}>
      <EntranceForm onSubmit={(event) => void submit(event)} noValidate>
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
        <Button type="submit" variant="primary" isFullWidth isBusy={form.formState.isSubmitting}>
          Create administrator account
        </Button>
      </EntranceForm>
    </FormProvider>
  );
}

const Names = styled.div`
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: ${theme.space[4]};
`;
