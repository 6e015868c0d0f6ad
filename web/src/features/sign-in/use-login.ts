import type { login } from '@atrium/proto-events/http/auth';
import { useRef, useState } from 'react';
import { afterPointerUp } from '#lib/after-pointer-up.ts';
import { call } from '#lib/api/api.ts';
import { ApiError, messageOf } from '#lib/api/api-error.ts';
import type { AnnouncedFailure } from '#lib/forms/use-entry-form.ts';
import { loadChunk } from '#lib/lazy.ts';
import { storedDeviceToken } from '#lib/session/device-token.ts';
import { signIn } from '#lib/session/session.ts';
import { announceFailure, showSuccess } from '#ui/overlays/toast.ts';
import type { LoginValues } from './login-schema.ts';

type Field = keyof LoginValues;
type FieldErrors = Partial<Record<Field, string | undefined>>;
/** `failure` is an error that belongs to no field. */
type Outcome = FieldErrors & { failure?: AnnouncedFailure };

/**
 * The state of the sign-in form. The form library and schemas are as large as half of the page, so the values are held in plain state and
 * the contract is loaded on the first blur.
 */
export function useLogin() {
  const [values, setValues] = useState<LoginValues>({ email: '', password: '' });
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<AnnouncedFailure>();
  const [isBusy, setBusy] = useState(false);
  /** Counts failed submits: each moves the focus to the first error. */
  const [failures, setFailures] = useState(0);
  const isSubmitting = useRef(false);
  /** The current values when an asynchronous check completes. */
  const latest = useRef(values);

  const set = (field: Field) => (value: string) => {
    latest.current = { ...latest.current, [field]: value };
    setValues(latest.current);
    setErrors((before) => ({ ...before, [field]: undefined }));
  };
  const leave = (field: Field) => () =>
    afterPointerUp(async () => {
      const left = latest.current[field];
      const fault = (await validate(latest.current))[field];
      if (fault && latest.current[field] === left)
        setErrors((before) => ({ ...before, [field]: before[field] ?? fault }));
    });
  const submit = async () => {
    if (isSubmitting.current) return;
    isSubmitting.current = true;
    setBusy(true);
    setFailure(undefined);
    const { failure: reason, ...faults } = await attempt(latest.current);
    setFailure(reason);
    setErrors(faults);
    if (faults.email || faults.password) setFailures((before) => before + 1);
    setBusy(false);
    isSubmitting.current = false;
  };
  return { values, errors, failure, failures, isBusy, set, leave, submit };
}

/** Errors by field; empty if the contract fails to load, because the submit validates again. */
async function validate(values: LoginValues): Promise<FieldErrors> {
  try {
    const { checkLogin } = await import('./login-schema.ts');
    const verdict = checkLogin(values);
    return 'errors' in verdict ? verdict.errors : {};
  } catch {
    return {};
  }
}

/** Signs in, or returns the errors by field. */
async function attempt(values: LoginValues): Promise<Outcome> {
  try {
    const { checkLogin } = await loadChunk(() => import('./login-schema.ts'));
    const verdict = checkLogin(values);
    if ('errors' in verdict) return verdict.errors;
    const answer = await call<typeof login>(
      'POST /auth/login',
      { body: { ...verdict.body, ...storedDeviceToken() } },
      { isAnonymous: true },
    );
    showSuccess('Login successful', 'Welcome back!');
    await signIn(answer);
    return {};
  } catch (error) {
    const message = messageOf(error, 'Invalid credentials');
    const failure = announceFailure('Login failed', message);
    const fieldErrors = rejectedFields(error, message);
    return fieldErrors.email || fieldErrors.password ? fieldErrors : { failure };
  }
}

/** Only errors about a field are shown there, not network errors or rate limits. */
function rejectedFields(error: unknown, message: string): FieldErrors {
  if (!(error instanceof ApiError)) return {};
  if (error.status === 401) return { password: message };
  const of = (field: Field) => error.errors.find(({ path }) => path.endsWith(field))?.message;
  return { email: of('email'), password: of('password') };
}
