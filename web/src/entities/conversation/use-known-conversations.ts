import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { useConversation, useConversations } from './use-conversations.ts';

/** Finds a conversation in a list, and requests it if the list is loaded and does not contain it. */
export function useListedConversation(id: string | null, conversations: readonly Conversation[] | undefined) {
  const listed = conversations?.find(({ _id }) => _id === id);
  const { data, error } = useConversation(conversations && !listed ? id : null);
  return { conversation: listed ?? data, error };
}

/** Returns the listed conversations or, if some of those with the ids are not among them, all conversations. */
export function useConversationsOf(ids: readonly string[], listed: readonly Conversation[] | undefined) {
  const listedIds = new Set(listed?.map(({ _id }) => _id));
  const isMissing = listed !== undefined && ids.some((id) => !listedIds.has(id));
  const all = useConversations(isMissing).conversations;
  return isMissing ? all : listed;
}
