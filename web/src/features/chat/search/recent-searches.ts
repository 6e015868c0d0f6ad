import { deviceStorage } from '#lib/storage.ts';

const MAX_RECENT = 5;

const storageKey = (userId: string): string => `atrium:searches:${userId}`;

/** Returns the last searches of the user on this device, latest first. */
export function listRecentSearches(userId: string): string[] {
  try {
    const stored: unknown = JSON.parse(deviceStorage.read(storageKey(userId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter((query) => typeof query === 'string').slice(0, MAX_RECENT) : [];
  } catch {
    return [];
  }
}

export function recordSearch(userId: string, query: string): void {
  const others = listRecentSearches(userId).filter((recent) => recent !== query);
  deviceStorage.write(storageKey(userId), JSON.stringify([query, ...others].slice(0, MAX_RECENT)));
}
