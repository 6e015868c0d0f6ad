import type { getUnread } from '@atrium/proto-events/http/chat';
import useSWR from 'swr';
import { keyOf } from '#lib/query/use-read.ts';
import { readUnread, useUnreadCount } from '#realtime/unread.ts';

const KEY = keyOf<typeof getUnread>('GET /chat/unread', {});

export function useUnreadTotal(): number {
  useSWR(KEY, readUnread);
  return useUnreadCount();
}
