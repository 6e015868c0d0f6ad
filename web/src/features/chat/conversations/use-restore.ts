import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { useConversationActions } from './use-conversation-actions.ts';

export function useRestore(conversationId: string) {
  const { restore } = useConversationActions();
  return useAction(async () => {
    await restore(conversationId);
    showSuccess('Channel restored');
  }, 'Failed to restore channel');
}
