import type { changePreferences } from '@atrium/proto-events/http/chat/channels';
import type { Conversation, Preferences } from '@atrium/proto-events/http/chat/conversations';
import { withPreferences } from '#entities/conversation/conversation-edits.ts';
import { call } from '#lib/api/api.ts';
import { useQueryCache } from '#lib/query/swr-config.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { showErrorToast } from '#ui/overlays/toast.ts';

type Changes = Partial<Preferences>;

/** The changes of a conversation whose requests have not ended, and its preferences before them. */
type Pending = { saved: Preferences; changes: Changes[]; last: Promise<void> };

const pendingById = createUserScopedStore(() => new Map<string, Pending>());

/**
 * Returns a function that changes how the user sees a conversation, shown at once and reverted if it fails. The requests
 * of a conversation are sent in order.
 */
export function usePreferences() {
  const cache = useQueryCache();
  const show = (id: string, changes: Changes) => cache.edit(withPreferences(id, changes), { isOptimistic: true });
  return ({ _id: id, preferences }: Conversation, changes: Changes): Promise<void> => {
    const all = pendingById.get();
    const pending = all.get(id) ?? { saved: preferences, changes: [], last: Promise.resolve() };
    all.set(id, pending);
    pending.changes.push(changes);
    show(id, changes);
    const request = async () => {
      try {
        // The user has signed out.
        if (all !== pendingById.get()) return;
        const input = { params: { id }, body: changes };
        pending.saved = await call<typeof changePreferences>('PATCH /chat/conversations/:id/preferences', input);
        pending.changes.shift();
      } catch (error) {
        pending.changes.shift();
        // Later changes are shown until their own requests end.
        if (all !== pendingById.get()) return;
        show(
          id,
          pick(pending.saved, (name) => name in changes && !pending.changes.some((later) => name in later)),
        );
        showErrorToast(error, 'Failed to update conversation');
      } finally {
        if (pending.changes.length === 0) all.delete(id);
      }
    };
    pending.last = pending.last.then(request);
    return pending.last;
  };
}

const pick = (preferences: Preferences, isPicked: (name: string) => boolean): Changes =>
  Object.fromEntries(Object.entries(preferences).filter(([name]) => isPicked(name)));
