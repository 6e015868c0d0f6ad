import { getDraft, saveDraft } from '#lib/forms/drafts.ts';

const MAX_RECENT = 5;

/** They are stored as a draft (`lib/forms/drafts.ts`), so that logging out deletes them, too. */
const STORAGE_KEY = 'searches';

/** Returns the last searches of the user on this device, latest first. */
export function listRecentSearches(userId: string): string[] {
  const stored = getDraft(STORAGE_KEY, userId);
  return Array.isArray(stored) ? stored.filter((query) => typeof query === 'string').slice(0, MAX_RECENT) : [];
}

export function recordSearch(userId: string, query: string): void {
  const others = listRecentSearches(userId).filter((recent) => recent !== query);
  // No unsent input is lost with them.
  saveDraft(userId, STORAGE_KEY, [query, ...others].slice(0, MAX_RECENT), true);
}
