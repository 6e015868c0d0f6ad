import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type {
  signOutEverywhere as everywhereEndpoint,
  login,
  logout as logoutEndpoint,
} from '@atrium/proto-events/http/auth';
import type { getProfile, updateProfile } from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { useSyncExternalStore } from 'react';
import { call } from '../api/api.ts';
import { ApiError, getRetryAfterMs, isFinal } from '../api/api-error.ts';
import { exchange } from '../api/refresh-tokens.ts';
import {
  accessToken,
  clearTokens,
  hasSignedOut,
  onTokensChange,
  refreshToken,
  storeDeviceToken,
  storeTokens,
  tokenOwner,
} from '../api/tokens.ts';
import { jitter } from '../delays.ts';
import { createListeners } from '../listeners.ts';
import { browserTimeZone } from '../time/time-zone.ts';

type AuthResponse = ResponseOf<typeof login>;

export type Session =
  | { state: 'loading' }
  /** After a logout (`hasSignedOut`), the next user to sign in does not return to the previous user's page. */
  | { state: 'anonymous'; hasSignedOut: boolean }
  /** The user is signed in, but the profile failed to load; the tokens are kept. */
  | { state: 'unreachable' }
  | { state: 'authenticated'; user: User };

/** Nothing can be shown without a profile, so it is retried quickly at first, then every ten seconds. */
const MAX_RETRY_MS = 10_000;
const RETRY_MS = [1_000, 2_000, 3_000, MAX_RETRY_MS];

let session: Session = { state: 'loading' };
let failures = 0;
let retryTimer: ReturnType<typeof setTimeout> | undefined;
/** Incremented by each profile request and logout, so that outdated responses are ignored. */
let generation = 0;
const listeners = createListeners();

export function currentSession(): Session {
  return session;
}

export function currentUserId(): string | null {
  return session.state === 'authenticated' ? session.user._id : null;
}

/**
 * Call this before a request. The returned function says whether the same user is still signed in; if not, the response
 * must be discarded.
 */
export function createOwnerCheck(): () => boolean {
  const owner = currentUserId();
  return () => currentUserId() === owner;
}

export function currentUser(): User | null {
  return session.state === 'authenticated' ? session.user : null;
}

export const onSessionChange = listeners.subscribe;

function setSession(next: Session): void {
  session = next;
  listeners.notify();
}

export function startSession(): void {
  onTokensChange(() => {
    if (!accessToken()) becomeAnonymous(hasSignedOut());
    else if (session.state === 'anonymous') void loadProfile();
    else if (session.state === 'authenticated' && (tokenOwner() ?? session.user._id) !== session.user._id) {
      // A different user has signed in in another tab: nothing of the previous user may be shown or written in the new
      // user's name.
      setSession({ state: 'loading' });
      void loadProfile();
    }
  });
  void loadProfile();
}

/** Only a 401 clears the tokens; any other failure keeps the user signed in. */
export async function loadProfile(): Promise<void> {
  if (!accessToken()) return becomeAnonymous(false);
  failures = 0;
  if (session.state !== 'authenticated') setSession({ state: 'loading' });
  await fetchProfile();
}

async function fetchProfile(): Promise<void> {
  clearTimeout(retryTimer);
  const requestGeneration = ++generation;
  const owner = tokenOwner();
  /** Whether a different user has signed in in another tab, so that the response is not about the current user. */
  const isOutdated = () => accessToken() !== null && tokenOwner() !== owner;
  try {
    const user = await call<typeof getProfile>('GET /users/profile', {});
    if (requestGeneration !== generation) return;
    if (isOutdated()) return fetchProfile();
    setProfile(user);
  } catch (error) {
    if (requestGeneration !== generation) return;
    if (isOutdated()) return fetchProfile();
    if (error instanceof ApiError && error.status === 401) return clearTokens();
    if (session.state !== 'authenticated') setSession({ state: 'unreachable' });
    else if (isFinal(error)) return;
    retryTimer = setTimeout(() => void fetchProfile(), profileRetryDelay(error));
    failures += 1;
  }
}

function profileRetryDelay(error: unknown): number {
  if (session.state === 'authenticated') return jitter(Math.max(MAX_RETRY_MS, getRetryAfterMs(error) ?? 0));
  return RETRY_MS[failures] ?? MAX_RETRY_MS;
}

function becomeAnonymous(hasSignedOut: boolean): void {
  clearTimeout(retryTimer);
  generation += 1;
  setSession({ state: 'anonymous', hasSignedOut });
}

export async function signIn(response: AuthResponse): Promise<void> {
  setSession({ state: 'loading' });
  storeDeviceToken(response.device);
  storeTokens(response);
  await loadProfile();
}

export async function signOut(): Promise<void> {
  const logout = endSession(accessToken(), refreshToken()).catch(() => undefined);
  clearTokens(true);
  await logout;
}

/** Ends every session of the user. This one ends only if the request succeeds. */
export async function signOutEverywhere(): Promise<void> {
  await call<typeof everywhereEndpoint>('POST /auth/sign-out-everywhere', {});
  clearTokens(true);
}

/** Refreshes an expired access token first, because the session would otherwise stay active. */
async function endSession(access: string | null, refresh: string | null): Promise<void> {
  const end = (token: string) =>
    call<typeof logoutEndpoint>('POST /auth/logout', {}, { headers: bearer(token), isAnonymous: true });
  try {
    if (access) await end(access);
  } catch (error) {
    if (!refresh || !(error instanceof ApiError) || error.status !== 401) return;
    const outcome = await exchange(refresh);
    if ('pair' in outcome) await end(outcome.pair.accessToken);
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export function setProfile(user: User): void {
  if (!accessToken() || (tokenOwner() ?? user._id) !== user._id) return;
  setSession({ state: 'authenticated', user });
  if (user.timezone === 'UTC') void setInitialTimeZone(user);
}

/** The zone is UTC until the browser sets it at the first sign-in. */
async function setInitialTimeZone(user: User): Promise<void> {
  const timezone = browserTimeZone();
  if (!timezone || timezone === 'UTC' || timezone === user.timezone) return;
  await saveTimeZone(timezone).catch(() => undefined);
}

export async function saveTimeZone(timezone: string): Promise<void> {
  const updatedUser = await call<typeof updateProfile>('PATCH /users/profile', { body: { timezone } });
  if (session.state === 'authenticated' && session.user._id === updatedUser._id)
    setSession({ state: 'authenticated', user: updatedUser });
}

export function useSession(): Session {
  return useSyncExternalStore(onSessionChange, currentSession);
}

/** Returns the signed-in user. Use it only below the protected route, where there always is one. */
export function useCurrentUser(): User {
  const session = useSession();
  if (session.state !== 'authenticated') throw new Error('useCurrentUser is for signed-in screens only');
  return session.user;
}
