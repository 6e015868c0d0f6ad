import type { getUnread } from '@atrium/proto-events/http/chat/conversations';
import useSWR from 'swr';
import { read } from '#lib/api/api.ts';
import { keyOf } from '#lib/query/use-read.ts';
import type { UnreadResponse } from '#realtime/read-states.ts';
import { unread, useUnreadCount } from '#realtime/unread.ts';

const KEY = keyOf<typeof getUnread>('GET /chat/unread', {});

export function useUnreadTotal(): number {
  useSWR(KEY, (key) => unread.request(() => read(key) as Promise<UnreadResponse>));
  return useUnreadCount();
}
