import type { User } from '@atrium/proto-events/people';
import { setProfile } from '../src/lib/session/session.ts';
import { storeTokens } from '../src/lib/session/tokens.ts';

/** A token as the servers make them, but for its signature. */
export const tokenFor = (user: User) => `head.${btoa(JSON.stringify({ sub: user._id }))}.signature`;

/** As signing in leaves it, with nobody asked. */
export function signInAs(user: User): void {
  storeTokens({ accessToken: tokenFor(user), refreshToken: `of ${user._id}` });
  setProfile(user);
}
