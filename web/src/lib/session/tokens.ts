import { isRecord } from '../is-record.ts';
import { createListeners } from '../listeners.ts';
import { deviceStorage, tabStorage } from './storage.ts';

/** The two tokens, in local storage under the names of the specification (section 9); every tab reads the same ones. */
const ACCESS = 'access_token';
const REFRESH = 'refresh_token';
/** Stands until somebody signs in again where the one before logged out: every tab is to know that they left on purpose. */
const LEFT = 'atrium:left';
/** Why the session ended, in a sentence for the sign-in page of every tab; until someone signs in, or logs out. */
const ENDED = 'atrium:session-ended';
/** When the access token came, by this device's clock, which need not be the server's. */
const RECEIVED_AT = 'atrium:token-came-at';
const REFRESH_BEFORE_EXPIRY_MS = 60_000;
const SIGNED_OUT_ELSEWHERE = 'You signed out in another tab.';

export type TokenPair = { accessToken: string; refreshToken: string };

const listeners = createListeners();

export function accessToken(): string | null {
  return deviceStorage.read(ACCESS);
}

export function refreshToken(): string | null {
  return deviceStorage.read(REFRESH);
}

export function storeTokens(pair: TokenPair): void {
  deviceStorage.remove(LEFT);
  deviceStorage.remove(ENDED);
  tabStorage.remove(ENDED);
  // The refresh token first: whoever sees the new access token finds its successor beside it.
  deviceStorage.write(REFRESH, pair.refreshToken);
  deviceStorage.write(RECEIVED_AT, String(Date.now()));
  deviceStorage.write(ACCESS, pair.accessToken);
  listeners.notify();
}

/** Whether who was signed in here last, in whichever tab, has logged out. */
export function hasLeft(): boolean {
  return deviceStorage.read(LEFT) !== null;
}

/** Called before `clearTokens`, so that other tabs find the reason when the tokens are gone. */
export function recordSessionEnd(reason: string): void {
  deviceStorage.write(ENDED, reason);
}

export const sessionEndReason = (): string | null => tabStorage.read(ENDED) ?? deviceStorage.read(ENDED);

/** `isLeaving`: by logging out, and not because the session ended. */
export function clearTokens(isLeaving = false): void {
  // Before the tokens, whose going the other tabs hear of.
  if (isLeaving) {
    deviceStorage.write(LEFT, '1');
    deviceStorage.remove(ENDED);
  }
  tabStorage.remove(ENDED);
  deviceStorage.remove(ACCESS);
  deviceStorage.remove(REFRESH);
  deviceStorage.remove(RECEIVED_AT);
  listeners.notify();
}

/** Whose the stored access token is (`sub`, RFC 7519); null without one that can be read. Only the servers check it. */
export function tokenOwner(): string | null {
  const { sub } = claims();
  return sub === undefined ? null : String(sub);
}

/** When the stored access token is to be renewed, a minute before it expires, by this device's clock; null where that cannot be known. */
export function refreshDueAt(): number | null {
  const { iat, exp } = claims();
  const receivedAt = Number(deviceStorage.read(RECEIVED_AT));
  if (typeof iat !== 'number' || typeof exp !== 'number' || !receivedAt) return null;
  return receivedAt + (exp - iat) * 1_000 - REFRESH_BEFORE_EXPIRY_MS;
}

type Claims = { sub?: unknown; iat?: unknown; exp?: unknown };

function claims(): Claims {
  const payload = accessToken()?.split('.')[1];
  try {
    const read: unknown = JSON.parse(atob((payload ?? '').replace(/-/g, '+').replace(/_/g, '/')));
    return isRecord(read) ? read : {};
  } catch {
    return {};
  }
}

/** Calls back when someone signs in or out, in this tab or another. */
export const onTokensChange = listeners.subscribe;

/** Storage events come from the other tabs only, and to no page that the browser has put aside; call once at start. */
export function watchTokens(): void {
  window.addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key !== ACCESS && key !== null) return;
    // Only in a tab that had the session: whoever opens the sign-in page later did not sign out there.
    if (newValue === null && oldValue !== null && hasLeft()) tabStorage.write(ENDED, SIGNED_OUT_ELSEWHERE);
    else tabStorage.remove(ENDED);
    listeners.notify();
  });
  window.addEventListener('pageshow', ({ persisted }) => persisted && listeners.notify());
}
