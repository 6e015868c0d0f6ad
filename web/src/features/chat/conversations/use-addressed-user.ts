import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { CONVERSATION } from '#entities/message/message-path.ts';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { showErrorToast } from '#ui/overlays/toast.ts';
import { USER } from './list/use-selection.ts';
import { useConversationActions } from './use-conversation-actions.ts';

/** Opens the direct conversation with the user in the URL, creating it if necessary. */
export function useAddressedUser(): { isOpening: boolean } {
  const [params, setParams] = useSearchParams();
  const userId = params.get(USER);
  const { create } = useConversationActions();
  const openDirect = useStableCallback(async (id: string, isCurrent: () => boolean) => {
    const conversation = await create({ type: 'direct', participants: [id] }).catch((error: unknown) => {
      if (isCurrent()) showErrorToast(error, 'Failed to start conversation');
    });
    // A response that arrives after the user navigated away must not bring them back.
    if (isCurrent()) setParams(conversation ? { [CONVERSATION]: conversation._id } : {}, { replace: true });
  });
  useEffect(() => {
    if (userId === null) return;
    let isCurrent = true;
    void openDirect(userId, () => isCurrent);
    return () => {
      isCurrent = false;
    };
  }, [userId, openDirect]);
  return { isOpening: userId !== null };
}
