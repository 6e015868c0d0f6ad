import { loginBody } from '@atrium/proto-events/http/auth';

export type LoginValues = { email: string; password: string };

export function checkLogin(values: LoginValues): { body: LoginValues } | { errors: Partial<LoginValues> } {
  const result = loginBody.safeParse(values);
  if (result.success) return { body: result.data };
  const errors: Partial<LoginValues> = {};
  for (const issue of result.error.issues) {
    const field = issue.path[0];
    if (field === 'email' || field === 'password') errors[field] ??= issue.message;
  }
  return { errors };
}
