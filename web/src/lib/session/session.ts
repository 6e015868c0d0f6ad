import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type {
  signOutEverywhere as everywhereEndpoint,
  login,
  logout as logoutEndpoint,
} from '@atrium/proto-events/http/auth';
import type { getProfile, updateProfile } from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { call } from '../api/api.ts';
import { ApiError, isFinal, getRetryAfterMs } from '../api/api-error.ts';
import { jitter } from '../jitter.ts';
import { createListeners } from '../listeners.ts';
import { browserTimeZone } from '../time-zone.ts';
import { storeDeviceToken } from './device-token.ts';
import { exchange } from './refresh.ts';
import { accessToken, clearTokens, hasLeft, onTokensChange, refreshToken, storeTokens, tokenOwner } from './tokens.ts';

export type AuthResponse = ResponseOf<typeof login>;

/** `unreachable`: someone is signed in, but their profile could not be asked for; their tokens are kept. */
export type Session =
  | { state: 'loading' }
  /** `hasLeft`: they logged out themselves, so the page they were on is not kept for the next one to sign in. */
  | { state: 'anonymous'; hasLeft: boolean }
  | { state: 'unreachable' }
  | { state: 'authenticated'; user: User };

/** As long as nobody knows who is there nothing can be shown, so it is asked again: soon at first, then every ten seconds. */
const MAX_RETRY_MS = 10_000;
const RETRY_MS = [1_000, 2_000, 3_000, MAX_RETRY_MS];

let session: Session = { state: 'loading' };
let failures = 0;
let nextTry: ReturnType<typeof setTimeout> | undefined;
/** Counts who was asked for and who left, so that an answer that comes after is not taken for the present. */
let generation = 0;
const listeners = createListeners();

export function currentSession(): Session {
  return session;
}

/** Who is signed in, by their id; null while nobody is, or it is not known yet. */
export function currentUserId(): string | null {
  return session.state === 'authenticated' ? session.user._id : null;
}

/** Their department, by its id; null where they are of none. */
export function currentDepartmentId(): string | null {
  return session.state === 'authenticated' ? (session.user.department?._id ?? null) : null;
}

export const onSessionChange = listeners.subscribe;

function setSession(next: Session): void {
  session = next;
  listeners.notify();
}

/** Asks who is signed in; call once at start. Signing in or out in another tab is followed here. */
export function startSession(): void {
  onTokensChange(() => {
    if (!accessToken()) becomeAnonymous(hasLeft());
    else if (session.state === 'anonymous') void loadProfile();
    else if (session.state === 'authenticated' && (tokenOwner() ?? session.user._id) !== session.user._id) {
      // Somebody else has signed in, in another tab: nothing of the one before is shown or written under their name.
      setSession({ state: 'loading' });
      void loadProfile();
    }
  });
  void loadProfile();
}

/** Only a 401 clears the tokens (specification, section 4); any other failure leaves the person signed in. */
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
  /** Somebody else has signed in meanwhile, in another tab: the answer, be it a refusal, is not about them. */
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
    // Who is known already goes on as they were; what has changed of them is asked for until it is known.
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

function becomeAnonymous(hasLeft: boolean): void {
  clearTimeout(nextTry);
  generation += 1;
  setSession({ state: 'anonymous', hasLeft });
}

/** Takes the answer of sign-in, set-up or an accepted invitation. */
export async function signIn(answer: AuthResponse): Promise<void> {
  setSession({ state: 'loading' });
  storeDeviceToken(answer.device);
  storeTokens(answer);
  await loadProfile();
}

/** Clears the tokens and the person whatever the server answers. */
export async function signOut(): Promise<void> {
  const ended = endSession(accessToken(), refreshToken()).catch(() => undefined);
  clearTokens(true);
  await ended;
}

/** Ends every session of the person. Nobody is signed out here before they are everywhere. */
export async function signOutEverywhere(): Promise<void> {
  await call<typeof everywhereEndpoint>('POST /auth/sign-out-everywhere', {});
  clearTokens(true);
}

/** After some idle minutes the access token is too old to be heard, and the session would live on: it is renewed to end it. */
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

/** The profile as it is now: after a change of it, or when the server said that it changed; unless its person is not here any more. */
export function setProfile(user: User): void {
  if (!accessToken() || (tokenOwner() ?? user._id) !== user._id) return;
  setSession({ state: 'authenticated', user });
  if (user.timezone === 'UTC') void setInitialTimeZone(user);
}

/** The zone is UTC until the browser sets it at the first sign-in (decisions, section 3). */
async function setInitialTimeZone(user: User): Promise<void> {
  const timezone = browserTimeZone();
  if (!timezone || timezone === 'UTC' || timezone === user.timezone) return;
  // The next start tries again.
  await saveTimeZone(timezone).catch(() => undefined);
}

export async function saveTimeZone(timezone: string): Promise<void> {
  const changed = await call<typeof updateProfile>('PATCH /users/profile', { body: { timezone } });
  if (session.state === 'authenticated' && session.user._id === changed._id)
    setSession({ state: 'authenticated', user: changed });
}
