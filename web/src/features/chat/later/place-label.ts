import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { conversationName } from '#entities/conversation/conversation.ts';

type PlaceLabelParams = { conversation: Conversation | undefined; isReply: boolean; currentUserId: string };

/** Names where a message belongs. */
export function placeLabel({ conversation, isReply, currentUserId }: PlaceLabelParams): string {
  if (!conversation) return 'Unavailable conversation';
  const name = conversationName(conversation, currentUserId);
  return isReply ? `Thread in ${name}` : name;
}
