/** The two tokens, in local storage under the names of the specification (section 9); every tab reads the same ones. */
const ACCESS = 'access_token';
const REFRESH = 'refresh_token';

export type TokenPair = { accessToken: string; refreshToken: string };

const listeners = new Set<() => void>();

export function accessToken(): string | null {
  return localStorage.getItem(ACCESS);
}

export function refreshToken(): string | null {
  return localStorage.getItem(REFRESH);
}

export function storeTokens(pair: TokenPair): void {
  // The refresh token first: whoever sees the new access token finds its successor beside it.
  localStorage.setItem(REFRESH, pair.refreshToken);
  localStorage.setItem(ACCESS, pair.accessToken);
  tell();
}

export function clearTokens(): void {
  localStorage.removeItem(ACCESS);
  localStorage.removeItem(REFRESH);
  tell();
}

/** Whose the stored access token is (`sub`, RFC 7519); null without one that can be read. Only the servers check it. */
export function tokenOwner(): string | null {
  const payload = accessToken()?.split('.')[1];
  try {
    const claims: unknown = JSON.parse(atob((payload ?? '').replace(/-/g, '+').replace(/_/g, '/')));
    return typeof claims === 'object' && claims !== null && 'sub' in claims ? String(claims.sub) : null;
  } catch {
    return null;
  }
}

/** Calls back when someone signs in or out, in this tab or another. */
export function onTokensChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Storage events come from the other tabs only; call once at start. */
export function watchTokens(): void {
  window.addEventListener('storage', (event) => {
    if (event.key === ACCESS || event.key === null) tell();
  });
}

function tell(): void {
  for (const listener of listeners) listener();
}
