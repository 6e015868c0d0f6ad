import { useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { theme } from '../../ui/theme.ts';
import { EntranceForm } from './entrance-form.ts';
import { useLogin } from './use-login.ts';

export function LoginForm() {
  const { values, errors, isBusy, set, submit } = useLogin();
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (errors.email) email.current?.focus();
    else if (errors.password) password.current?.focus();
  }, [errors]);
  return (
    <EntranceForm
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        value={values.email}
        onChange={set('email')}
        error={errors.email}
        ref={email}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        value={values.password}
        onChange={set('password')}
        error={errors.password}
        ref={password}
      />
      <Button type="submit" variant="primary" isFullWidth isBusy={isBusy}>
        {isBusy ? 'Signing in...' : 'Sign In'}
      </Button>
      <ForgottenPassword />
    </EntranceForm>
  );
}

function ForgottenPassword() {
  const [isHelpShown, setHelpShown] = useState(false);
  return (
    <>
      <Help>
        <Button variant="ghost" size="sm" onPress={() => setHelpShown(!isHelpShown)} aria-expanded={isHelpShown}>
          Forgot your password?
        </Button>
      </Help>
      {isHelpShown && <Notice>An administrator of your workspace can help you back in. Please ask one of them.</Notice>}
    </>
  );
}

const Help = styled.div`
  display: flex;
  justify-content: center;
  margin: -${theme.space[1]} 0;
`;
