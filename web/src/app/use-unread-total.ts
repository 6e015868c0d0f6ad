import type { listConversations } from '@atrium/proto-events/http/chat';
import useSWR from 'swr';
import { read } from '../lib/api.ts';
import { keyOf } from '../lib/keys.ts';
import { useRead } from '../lib/use-read.ts';

type Page = { data: { unreadCount: number }[] };

const LIMIT = 100;
const keyOfPage = (page: number) =>
  keyOf<typeof listConversations>('GET /chat/conversations', { query: { limit: LIMIT, page } });

/** Unread messages of all conversations together: of the latest hundred at once, of the rest where there are more. */
export function useUnreadTotal(): number {
  const { data } = useRead<typeof listConversations>('GET /chat/conversations', { query: { limit: LIMIT } });
  const totalPages = data?.totalPages ?? 1;
  // Begins with the list's path, so that whatever makes the list stale asks for these again as well.
  const rest = useSWR<Page[]>(totalPages > 1 ? `/chat/conversations?older=${totalPages}` : null, () => {
    const pages = Array.from({ length: totalPages - 1 }, (_, index) => index + 2);
    return Promise.all(pages.map((page) => read(keyOfPage(page)) as Promise<Page>));
  });
  return [data, ...(rest.data ?? [])].reduce((total, page) => total + unreadOf(page), 0);
}

const unreadOf = (page: Page | undefined) =>
  (page?.data ?? []).reduce((total, { unreadCount }) => total + unreadCount, 0);
