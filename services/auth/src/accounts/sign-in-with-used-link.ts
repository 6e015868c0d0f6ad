import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Deps } from '../deps.ts';
import type { Origin } from '../sessions/origin.ts';
import { login } from './login.ts';

type UsedLinkSignIn = {
  email: string;
  body: { password: string; device?: string | undefined };
  origin: Origin;
  /** Thrown if the password does not match. */
  linkError: AppError;
};

/** A retry of an accepted link with the password it set probably lost the response, and is signed in under the limits of sign-in. */
export async function signInWithUsedLink(
  deps: Deps,
  { email, body: { password, device }, origin, linkError }: UsedLinkSignIn,
) {
  try {
    return await login(deps, { body: { email, password, device }, origin });
  } catch (error) {
    throw error instanceof AppError && error.code === 'invalid_credentials' ? linkError : error;
  }
}
