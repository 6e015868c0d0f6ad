import { createUserScopedStore } from '../../../lib/session/user-scoped-store.ts';

const AWHILE_MS = 5_000;
const made = createUserScopedStore(() => new Map<string, number>());

/** Notes that this browser adds or removes somebody, or deletes a conversation, so that the news of it is not told to the one who made it. */
export function noteOwnChange(conversation: string, user?: string): void {
  made.get().set(`${conversation}:${user}`, Date.now());
}

export function isOwnChange(conversation: string, user?: string): boolean {
  const at = made.get().get(`${conversation}:${user}`);
  return at !== undefined && Date.now() - at < AWHILE_MS;
}
