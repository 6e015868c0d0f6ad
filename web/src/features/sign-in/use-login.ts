import type { login } from '@atrium/proto-events/http/auth';
import { useState } from 'react';
import { call } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { signIn } from '../../lib/session.ts';
import { showError, showSuccess } from '../../ui/toast.ts';
import type { LoginValues } from './login-schema.ts';

/**
 * The two values of the sign-in form. The form library and the schemas weigh as much as half of the page, so here the
 * values are held by hand and the contract is loaded with the first submit.
 */
export function useLogin() {
  const [values, setValues] = useState<LoginValues>({ email: '', password: '' });
  const [errors, setErrors] = useState<Partial<LoginValues>>({});
  const [isBusy, setBusy] = useState(false);

  const set = (field: keyof LoginValues) => (value: string) => {
    setValues((before) => ({ ...before, [field]: value }));
    setErrors((before) => ({ ...before, [field]: undefined }));
  };
  const submit = async () => {
    setBusy(true);
    setErrors(await attempt(values));
    setBusy(false);
  };
  return { values, errors, isBusy, set, submit };
}

/** Signs in, or answers what stands in the way, by field. */
async function attempt(values: LoginValues): Promise<Partial<LoginValues>> {
  try {
    const { checkLogin } = await import('./login-schema.ts');
    const verdict = checkLogin(values);
    if ('errors' in verdict) return verdict.errors;
    const answer = await call<typeof login>('POST /auth/login', { body: verdict.body }, { isAnonymous: true });
    showSuccess('Login successful', 'Welcome back!');
    await signIn(answer);
    return {};
  } catch (error) {
    const password = messageOf(error, 'Invalid credentials');
    showError('Login failed', password);
    return { password };
  }
}
