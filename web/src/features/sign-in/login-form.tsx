import type { login } from '@atrium/proto-events/http/auth';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { afterPointerUp } from '#lib/after-pointer-up.ts';
import { call } from '#lib/api/api.ts';
import { ApiError, messageOf } from '#lib/api/api-error.ts';
import { sessionEndReason, storedDeviceToken } from '#lib/api/tokens.ts';
import type { AnnouncedFailure } from '#lib/forms/use-entry-form.ts';
import { loadChunk } from '#lib/lazy.ts';
import { signIn } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { PasswordField, TextField } from '#ui/fields/text-field.tsx';
import { FormFailure, Notice } from '#ui/notice.tsx';
import { announceFailure, showSuccess } from '#ui/overlays/toast.ts';
import { theme } from '#ui/theme.ts';
import type { LoginValues } from './login-schema.ts';

export function LoginForm() {
  const { values, errors, failure, failures, isBusy, set, leave, submit } = useLogin();
  const [endReason] = useState(sessionEndReason);
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const firstInvalidField = errors.email ? email : password;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a submit moves focus, not an error found on blur
  useEffect(() => {
    if (failures > 0) firstInvalidField.current?.focus();
  }, [failures]);
  return (
    <SignedOutFrame
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {endReason && !failure && <Notice>{endReason}</Notice>}
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
    </SignedOutFrame>
  );
}

export const SignedOutFrame = styled.form`
  display: flex;
  flex-direction: column;
  gap: ${theme.space[4]};
  > button[type='submit'] {
    margin-top: ${theme.space[2]};
  }
`;

const Forgotten = styled(Link)`
  align-self: center;
  padding: ${theme.space[1]} ${theme.space[2]};
  border-radius: ${theme.radius.sm};
  font: 500 ${theme.text.md};
  ${theme.media.small} {
    padding: ${theme.space[3]} ${theme.space[4]};
  }
`;

type Field = keyof LoginValues;
type FieldErrors = Partial<Record<Field, string | undefined>>;
type Outcome = FieldErrors & { failure?: AnnouncedFailure };

/** The form library and schemas are half as large as the page, so the contract is loaded on the first blur. */
function useLogin() {
  const [values, setValues] = useState<LoginValues>({ email: '', password: '' });
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<AnnouncedFailure>();
  const [isBusy, setBusy] = useState(false);
  const [failures, setFailures] = useState(0);
  const isSubmitting = useRef(false);
  const latest = useRef(values);

  const set = (field: Field) => (value: string) => {
    latest.current = { ...latest.current, [field]: value };
    setValues(latest.current);
    setErrors((before) => ({ ...before, [field]: undefined }));
  };
  const leave = (field: Field) => () =>
    afterPointerUp(async () => {
      const checkedValue = latest.current[field];
      const error = (await validate(latest.current))[field];
      if (error && latest.current[field] === checkedValue)
        setErrors((before) => ({ ...before, [field]: before[field] ?? error }));
    });
  const submit = async () => {
    if (isSubmitting.current) return;
    isSubmitting.current = true;
    setBusy(true);
    setFailure(undefined);
    const { failure: submitFailure, ...fieldErrors } = await attempt(latest.current);
    setFailure(submitFailure);
    setErrors(fieldErrors);
    if (fieldErrors.email || fieldErrors.password) setFailures((before) => before + 1);
    setBusy(false);
    isSubmitting.current = false;
  };
  return { values, errors, failure, failures, isBusy, set, leave, submit };
}

/** Returns no errors if the contract fails to load, because the submit validates again. */
async function validate(values: LoginValues): Promise<FieldErrors> {
  try {
    const { checkLogin } = await import('./login-schema.ts');
    const verdict = checkLogin(values);
    return 'errors' in verdict ? verdict.errors : {};
  } catch {
    return {};
  }
}

async function attempt(values: LoginValues): Promise<Outcome> {
  try {
    const { checkLogin } = await loadChunk(() => import('./login-schema.ts'));
    const verdict = checkLogin(values);
    if ('errors' in verdict) return verdict.errors;
    const response = await call<typeof login>(
      'POST /auth/login',
      { body: { ...verdict.body, ...storedDeviceToken() } },
      { isAnonymous: true },
    );
    showSuccess('Login successful', 'Welcome back!');
    await signIn(response);
    return {};
  } catch (error) {
    const message = messageOf(error, 'Invalid credentials');
    const failure = announceFailure('Login failed', message);
    const fieldErrors = rejectedFields(error, message);
    return fieldErrors.email || fieldErrors.password ? fieldErrors : { failure };
  }
}

function rejectedFields(error: unknown, message: string): FieldErrors {
  if (!(error instanceof ApiError)) return {};
  if (error.status === 401) return { password: message };
  const findMessage = (field: Field) => error.errors.find(({ path }) => path.endsWith(field))?.message;
  return { email: findMessage('email'), password: findMessage('password') };
}
