import type { User } from '@atrium/proto-events/people';
import { storeTokens } from '@atrium/web/lib/api/tokens';
import { currentUser, onSessionChange, startSession } from '@atrium/web/lib/session/session';

/** Starts the web app's session, and resolves once it has loaded the profile. */
export async function startSignedIn(tokens: Parameters<typeof storeTokens>[0]): Promise<User> {
  const signedIn = Promise.withResolvers<User>();
  const stop = onSessionChange(() => {
    const user = currentUser();
    if (user) signedIn.resolve(user);
  });
  storeTokens(tokens);
  startSession();
  const user = await signedIn.promise;
  stop();
  return user;
}
