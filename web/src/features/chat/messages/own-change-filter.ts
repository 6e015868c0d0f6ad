import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';

const FILTER_TTL_MS = 5_000;
const made = createUserScopedStore(() => new Map<string, number>());

/** Records a change made by this browser, so that its own event is not announced to the user. */
export function recordOwnChange(conversation: string, user?: string): void {
  made.get().set(`${conversation}:${user}`, Date.now());
}

export function isOwnChange(conversation: string, user?: string): boolean {
  const at = made.get().get(`${conversation}:${user}`);
  return at !== undefined && Date.now() - at < FILTER_TTL_MS;
}
