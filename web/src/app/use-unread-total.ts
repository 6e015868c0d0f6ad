import type { listConversations } from '@atrium/proto-events/http/chat';
import { useRead } from '../lib/use-read.ts';

/** Unread messages of all conversations together. */
export function useUnreadTotal(): number {
  const { data } = useRead<typeof listConversations>('GET /chat/conversations', { query: { limit: 100 } });
  return (data?.data ?? []).reduce((total, conversation) => total + conversation.unreadCount, 0);
}
