import { isRecord } from '../is-record.ts';
import { createListeners } from '../listeners.ts';
import { deviceStorage, tabStorage } from '../storage.ts';

const ACCESS = 'access_token';
const REFRESH = 'refresh_token';
/** Set on logout until the next sign-in, so that every tab knows that the user logged out. */
const SIGNED_OUT = 'atrium:left';
const ENDED = 'atrium:session-ended';
/** Holds when the access token was received, by the device clock, which may differ from the server's. */
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
  deviceStorage.remove(SIGNED_OUT);
  deviceStorage.remove(ENDED);
  tabStorage.remove(ENDED);
  // Writes the refresh token before the access token: other tabs that see the new access token must find its refresh token.
  deviceStorage.write(REFRESH, pair.refreshToken);
  deviceStorage.write(RECEIVED_AT, String(Date.now()));
  deviceStorage.write(ACCESS, pair.accessToken);
  listeners.notify();
}

export function hasSignedOut(): boolean {
  return deviceStorage.read(SIGNED_OUT) !== null;
}

/** Call before `clearTokens`, so that other tabs find the reason. */
export function recordSessionEnd(reason: string): void {
  deviceStorage.write(ENDED, reason);
}

export const sessionEndReason = (): string | null => tabStorage.read(ENDED) ?? deviceStorage.read(ENDED);

export function clearTokens(isSigningOut = false): void {
  // Runs before the tokens are removed, because other tabs observe their removal.
  if (isSigningOut) {
    deviceStorage.write(SIGNED_OUT, '1');
    deviceStorage.remove(ENDED);
  }
  tabStorage.remove(ENDED);
  deviceStorage.remove(ACCESS);
  deviceStorage.remove(REFRESH);
  deviceStorage.remove(RECEIVED_AT);
  listeners.notify();
}

/** Returns the unverified `sub` of the stored access token (RFC 7519), or null if the token is unreadable. */
export function tokenOwner(): string | null {
  const { sub } = claims();
  return sub === undefined ? null : String(sub);
}

/** Returns the unverified id of the session of the stored access token, or null if the token is unreadable. */
export function tokenSession(): string | null {
  const { sid } = claims();
  return sid === undefined ? null : String(sid);
}

/** Returns when to refresh the access token: a minute before it expires by the device clock. Null if unknown. */
export function refreshDueAt(): number | null {
  const { iat, exp } = claims();
  const receivedAt = Number(deviceStorage.read(RECEIVED_AT));
  if (typeof iat !== 'number' || typeof exp !== 'number' || !receivedAt) return null;
  return receivedAt + (exp - iat) * 1_000 - REFRESH_BEFORE_EXPIRY_MS;
}

type Claims = { sub?: unknown; sid?: unknown; iat?: unknown; exp?: unknown };

function claims(): Claims {
  const payload = accessToken()?.split('.')[1];
  try {
    const parsed: unknown = JSON.parse(atob((payload ?? '').replace(/-/g, '+').replace(/_/g, '/')));
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

export const onTokensChange = listeners.subscribe;

/** Storage events come from other tabs only, and not to pages in the back-forward cache; call once at start. */
export function watchTokens(): void {
  window.addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key !== ACCESS && key !== null) return;
    if (newValue === null && oldValue !== null && hasSignedOut()) tabStorage.write(ENDED, SIGNED_OUT_ELSEWHERE);
    else tabStorage.remove(ENDED);
    listeners.notify();
  });
  window.addEventListener('pageshow', ({ persisted }) => persisted && listeners.notify());
}

/**
 * Survives logout: the server recognizes the browser, so that failed attempts of strangers do not lock out
 * its users.
 */
const DEVICE = 'atrium:device';

export function storedDeviceToken(): { device?: string } {
  const device = deviceStorage.read(DEVICE);
  return device === null ? {} : { device };
}

export function storeDeviceToken(device: string | undefined): void {
  if (device !== undefined) deviceStorage.write(DEVICE, device);
}
