import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { sessionEndReason } from '#lib/session/tokens.ts';
import { Button } from '#ui/button.tsx';
import { PasswordField, TextField } from '#ui/fields/text-field.tsx';
import { FormFailure, Notice } from '#ui/notice.tsx';
import { theme } from '#ui/theme.ts';
import { EntranceForm } from './auth-form.ts';
import { useLogin } from './use-login.ts';

export function LoginForm() {
  const { values, errors, failure, failures, isBusy, set, leave, submit } = useLogin();
  const [ended] = useState(sessionEndReason);
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const first = errors.email ? email : password;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a submit moves the focus, not an error found on blur
  useEffect(() => {
    if (failures > 0) first.current?.focus();
  }, [failures]);
  return (
    <EntranceForm
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {ended && !failure && <Notice>{ended}</Notice>}
      <FormFailure failure={failure} />
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        value={values.email}
        onChange={set('email')}
        onBlur={leave('email')}
        error={errors.email}
        ref={email}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        value={values.password}
        onChange={set('password')}
        onBlur={leave('password')}
        error={errors.password}
        ref={password}
      />
      <Button type="submit" variant="primary" isFullWidth isBusy={isBusy}>
        {isBusy ? 'Signing in...' : 'Sign In'}
      </Button>
      <Forgotten to="/forgot-password" state={{ email: values.email }}>
        Forgot your password?
      </Forgotten>
    </EntranceForm>
  );
}

const Forgotten = styled(Link)`
  align-self: center;
  padding: ${theme.space[1]} ${theme.space[2]};
  border-radius: ${theme.radius.sm};
  font: 500 ${theme.text.md};
  ${theme.media.small} {
    padding: ${theme.space[3]} ${theme.space[4]};
  }
`;
