import { useSyncExternalStore } from 'react';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';

/** Why the last message returned to the composer, per conversation; cleared by the next send. */
const reasons = createUserScopedStore<Readonly<Record<string, string>>>(() => ({}));

export function recordReturnReason(conversation: string, reason: string): void {
  reasons.change(reasons.owner(), (known) => ({ ...known, [conversation]: reason }));
}

export function clearReturnReason(conversation: string): void {
  reasons.change(reasons.owner(), ({ [conversation]: _, ...others }) => others);
}

export function useReturnReason(conversation: string): string | undefined {
  return useSyncExternalStore(reasons.subscribe, () => reasons.get()[conversation]);
}
