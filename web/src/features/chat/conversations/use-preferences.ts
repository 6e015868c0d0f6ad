import type { changePreferences } from '@atrium/proto-events/http/chat/channels';
import type { Conversation, Preferences } from '@atrium/proto-events/http/chat/conversations';
import { withPreferences } from '#entities/conversation/conversation-edits.ts';
import { call } from '#lib/api/api.ts';
import { useQueryCache } from '#lib/query/swr-config.ts';
import { showErrorToast } from '#ui/overlays/toast.ts';

/** Returns a function that changes how the user sees a conversation, shown at once and reverted if it fails. */
export function usePreferences() {
  const cache = useQueryCache();
  const show = (id: string, preferences: Partial<Preferences>) =>
    cache.edit(withPreferences(id, preferences), { isOptimistic: true });
  return async ({ _id: id, preferences }: Conversation, changes: Partial<Preferences>): Promise<void> => {
    show(id, changes);
    try {
      const input = { params: { id }, body: changes };
      await call<typeof changePreferences>('PATCH /chat/conversations/:id/preferences', input);
    } catch (error) {
      show(id, pick(preferences, changes));
      showErrorToast(error, 'Failed to update conversation');
    }
  };
}

const pick = (preferences: Preferences, changes: Partial<Preferences>): Partial<Preferences> =>
  Object.fromEntries(Object.entries(preferences).filter(([name]) => name in changes));
