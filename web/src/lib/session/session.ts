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
import { browserTimeZone } from '../time-zone.ts';

type AuthResponse = ResponseOf<typeof login>;

/** `unreachable`: the user is signed in, but the profile failed to load; the tokens are kept. */
export type Session =
  | { state: 'loading' }
  /** `hasSignedOut`: the user logged out, so the next one to sign in does not return to their page. */
  | { state: 'anonymous'; hasSignedOut: boolean }
  | { state: 'unreachable' }
  | { state: 'authenticated'; user: User };

/** Nothing can be shown without a profile, so it is retried quickly at first, then every ten seconds. */
const MAX_RETRY_MS = 10_000;
const RETRY_MS = [1_000, 2_000, 3_000, MAX_RETRY_MS];

let session: Session = { state: 'loading' };
let failures = 0;
let nextTry: ReturnType<typeof setTimeout> | undefined;
/** Incremented by each profile request and logout, so that outdated responses are ignored. */
let generation = 0;
const listeners = createListeners();

export function currentSession(): Session {
  return session;
}

export function currentUserId(): string | null {
  return session.state === 'authenticated' ? session.user._id : null;
}

export function currentDepartmentId(): string | null {
  return session.state === 'authenticated' ? (session.user.department?._id ?? null) : null;
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
      // Another user has signed in in another tab: nothing of the previous one may be shown or written under their
      // name.
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
  clearTimeout(nextTry);
  const current = ++generation;
  const owner = tokenOwner();
  /** Another user has signed in in another tab: this response is not about them. */
  const isOutdated = () => accessToken() !== null && tokenOwner() !== owner;
  try {
    const user = await call<typeof getProfile>('GET /users/profile', {});
    if (current !== generation) return;
    if (isOutdated()) return fetchProfile();
    setProfile(user);
  } catch (error) {
    if (current !== generation) return;
    if (isOutdated()) return fetchProfile();
    if (error instanceof ApiError && error.status === 401) return clearTokens();
    if (session.state !== 'authenticated') setSession({ state: 'unreachable' });
    else if (isFinal(error)) return;
    nextTry = setTimeout(() => void fetchProfile(), retryDelay(error));
    failures += 1;
  }
}

function retryDelay(error: unknown): number {
  if (session.state === 'authenticated') return jitter(Math.max(MAX_RETRY_MS, getRetryAfterMs(error) ?? 0));
  return RETRY_MS[failures] ?? MAX_RETRY_MS;
}

function becomeAnonymous(hasSignedOut: boolean): void {
  clearTimeout(nextTry);
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
  const ended = endSession(accessToken(), refreshToken()).catch(() => undefined);
  clearTokens(true);
  await ended;
}

/** Ends every session of the user. This one ends only if the request succeeds. */
export async function signOutEverywhere(): Promise<void> {
  await call<typeof everywhereEndpoint>('POST /auth/sign-out-everywhere', {});
  clearTokens(true);
}

/** The access token may have expired; it is refreshed then, since the session would otherwise stay active. */
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
  const changed = await call<typeof updateProfile>('PATCH /users/profile', { body: { timezone } });
  if (session.state === 'authenticated' && session.user._id === changed._id)
    setSession({ state: 'authenticated', user: changed });
}

export function useSession(): Session {
  return useSyncExternalStore(onSessionChange, currentSession);
}

/** The signed-in user; only below the protected route, where there always is one. */
export function useCurrentUser(): User {
  const session = useSession();
  if (session.state !== 'authenticated') throw new Error('useCurrentUser is for signed-in screens only');
  return session.user;
}
