import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { showErrorToast } from '#ui/overlays/show-error-toast.ts';
import { CONVERSATION, PERSON } from './chat-params.ts';
import { useConversationActions } from './conversations/use-conversation-actions.ts';

/** Opens the direct conversation with the user in the URL, creating it if necessary. */
export function useAddressedPerson(): { isOpening: boolean } {
  const [params, setParams] = useSearchParams();
  const person = params.get(PERSON);
  const { create } = useConversationActions();
  const open = useStableCallback(async (id: string, isHere: () => boolean) => {
    const found = await create({ type: 'direct', participants: [id] }).catch((error: unknown) => {
      if (isHere()) showErrorToast(error, 'Failed to start conversation');
    });
    // A response that arrives after the user navigated away must not bring them back.
    if (isHere()) setParams(found ? { [CONVERSATION]: found._id } : {}, { replace: true });
  });
  useEffect(() => {
    if (person === null) return;
    let isCurrent = true;
    void open(person, () => isCurrent);
    return () => {
      isCurrent = false;
    };
  }, [person, open]);
  return { isOpening: person !== null };
}
