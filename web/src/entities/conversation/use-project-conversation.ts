import type { Conversation, listConversations } from '@atrium/proto-events/http/chat/conversations';
import { useRead } from '#lib/query/use-read.ts';
import { useUnreadIn } from '#realtime/unread.ts';
import { PATH } from './conversation-edits.ts';
import { useRecordedStates } from './use-conversations.ts';

export function useProjectConversation(project: string): Conversation | undefined {
  const { data } = useRead<typeof listConversations>(
    `GET ${PATH}`,
    { query: { project, limit: 1, people: 1 } },
    // The conversation of another project must not be linked.
    { keepPreviousData: false },
  );
  useRecordedStates(data?.data);
  const conversation = data?.data[0];
  const unreadCount = useUnreadIn(conversation);
  return conversation && { ...conversation, unreadCount };
}
