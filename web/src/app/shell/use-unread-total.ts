import type { listConversations } from '@atrium/proto-events/http/chat';
import useSWR from 'swr';
import { read } from '../../lib/api/api.ts';
import { keyOf } from '../../lib/cache/keys.ts';
import { useRead } from '../../lib/cache/use-read.ts';

type Conversations = { data: { unreadCount: number }[] };

const LIMIT = 100;
const keyOfPage = (page: number) =>
  keyOf<typeof listConversations>('GET /chat/conversations', { query: { limit: LIMIT, page } });

/** Unread messages of all conversations together: of the latest hundred at once, of the rest where there are more. */
export function useUnreadTotal(): number {
  const { data } = useRead<typeof listConversations>('GET /chat/conversations', { query: { limit: LIMIT } });
  const totalPages = data?.totalPages ?? 1;
  // Begins with the list's path and is a list as every other, so that whatever makes that stale, or changes it, does so with this one.
  const rest = useSWR<Conversations>(totalPages > 1 ? `/chat/conversations?older=${totalPages}` : null, async () => {
    const pages = Array.from({ length: totalPages - 1 }, (_, index) => index + 2);
    const lists = await Promise.all(pages.map((page) => read(keyOfPage(page)) as Promise<Conversations>));
    return { data: lists.flatMap((list) => list.data) };
  });
  return unreadOf(data) + unreadOf(rest.data);
}

const unreadOf = (list: Conversations | undefined) =>
  (list?.data ?? []).reduce((total, { unreadCount }) => total + unreadCount, 0);
