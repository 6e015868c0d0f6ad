import { findMentions, listMentions, mentionsGroups } from '@atrium/proto-events/text/mentions';
import { useConversation } from '#entities/conversation/use-conversations.ts';
import { useNotifyConfirmation } from './use-notify-confirmation.tsx';

type Edit = { conversationId: string; content: string; before: string };

/** Saves an edit, after a confirmation if the mentions that it adds notify many people. */
export function useEditConfirmation({ conversationId, content, before }: Edit, onSave: () => void) {
  const added = addedMentions(content, before);
  const isConversationNeeded = mentionsGroups(listMentions(added));
  const { data: conversation, isLoading } = useConversation(isConversationNeeded ? conversationId : null);
  const confirmation = useNotifyConfirmation(conversation, added, onSave, 'Save');
  return { ...confirmation, isPreparing: isConversationNeeded && isLoading };
}

function addedMentions(content: string, before: string): string {
  const known = new Set(findMentions(before).map(({ text }) => text));
  const added = findMentions(content).filter(({ text }) => !known.has(text));
  return added.map(({ text }) => text).join(' ');
}
