import type { getUnread } from '@atrium/proto-events/http/chat';
import useSWR from 'swr';
import { keyOf } from '../../lib/query/keys.ts';
import { readUnread, useUnreadCount } from '../../realtime/unread/unread.ts';

const KEY = keyOf<typeof getUnread>('GET /chat/unread', {});

/** Unread messages of all conversations together: one small question, and then counted from what the socket tells. */
export function useUnreadTotal(): number {
  useSWR(KEY, readUnread);
  return useUnreadCount();
}
