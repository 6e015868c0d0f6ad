import type { User } from '@atrium/proto-events/people';
import { useSyncExternalStore } from 'react';
import { currentSession, onSessionChange, type Session } from './session.ts';

export function useSession(): Session {
  return useSyncExternalStore(onSessionChange, currentSession);
}

/** The signed-in user; only below the protected route, where there always is one. */
export function useCurrentUser(): User {
  const session = useSession();
  if (session.state !== 'authenticated') throw new Error('useCurrentUser is for signed-in screens only');
  return session.user;
}
