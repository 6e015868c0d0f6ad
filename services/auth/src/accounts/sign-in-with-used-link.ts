import { AppError } from '@atrium/service-kit/http/app-error';
import type { Deps } from '../deps.ts';
import type { Origin } from '../sessions/origin.ts';
import { login } from './login.ts';

type Given = {
  email: string;
  body: { password: string; device?: string | undefined };
  origin: Origin;
  /** For whoever has another password: what is told of a link that is used up. */
  refusal: AppError;
};

/**
 * For a link that is used up already: whoever brings the password that it set has perhaps never had the answer, and is signed in. It is
 * a sign-in like any other, with the same limits to guessing.
 */
export async function signInInstead(deps: Deps, { email, body: { password, device }, origin, refusal }: Given) {
  try {
    return await login(deps, { body: { email, password, device }, origin });
  } catch (error) {
    throw error instanceof AppError && error.code === 'invalid_credentials' ? refusal : error;
  }
}
