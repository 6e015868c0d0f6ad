import type { login, loginBody } from '@atrium/proto-events/http/auth';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { styled } from 'styled-components';
import type { z } from 'zod';
import { call } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { FormField } from '../../lib/form-field.tsx';
import { lazySchema } from '../../lib/lazy-schema.ts';
import { signIn } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { theme } from '../../ui/theme.ts';
import { showError, showSuccess } from '../../ui/toast.ts';

const resolver = lazySchema<z.input<typeof loginBody>, z.output<typeof loginBody>>(() =>
  import('./login-schema.ts').then((module) => module.loginSchema),
);

export function LoginForm() {
  const form = useForm({ resolver, defaultValues: { email: '', password: '' } });
  const [isHelpShown, setHelpShown] = useState(false);
  const submit = form.handleSubmit(async (body) => {
    try {
      const answer = await call<typeof login>('POST /auth/login', { body }, { isAnonymous: true });
      showSuccess('Login successful', 'Welcome back!');
      await signIn(answer);
    } catch (error) {
      const message = messageOf(error, 'Invalid credentials');
      showError('Login failed', message);
      form.setError('password', { message }, { shouldFocus: true });
    }
  });
  const { isSubmitting } = form.formState;
  return (
    <Form onSubmit={(event) => void submit(event)} noValidate>
      <FormField control={form.control} name="email">
        {(field) => <TextField {...field} label="Email" type="email" autoComplete="username" isRequired />}
      </FormField>
      <FormField control={form.control} name="password">
        {(field) => <PasswordField {...field} label="Password" autoComplete="current-password" isRequired />}
      </FormField>
      <Button type="submit" variant="primary" isFullWidth isBusy={isSubmitting}>
        {isSubmitting ? 'Signing in...' : 'Sign In'}
      </Button>
      <Help>
        <Button variant="ghost" size="sm" onPress={() => setHelpShown(!isHelpShown)} aria-expanded={isHelpShown}>
          Forgot your password?
        </Button>
      </Help>
      {isHelpShown && <Notice>An administrator of your workspace can help you back in. Please ask one of them.</Notice>}
    </Form>
  );
}

const Form = styled.form`
  display: flex;
  flex-direction: column;
  gap: ${theme.space[4]};
  > button[type='submit'] {
    margin-top: ${theme.space[2]};
  }
`;

const Help = styled.div`
  display: flex;
  justify-content: center;
  margin: -${theme.space[1]} 0;
`;
