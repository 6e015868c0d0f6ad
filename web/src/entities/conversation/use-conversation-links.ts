import type { ConversationLinks, listLinks } from '@atrium/proto-events/http/chat-messages';
import { findLinks } from '@atrium/proto-events/links';
import { call } from '../../lib/api/api.ts';
import { useRead } from '../../lib/cache/use-read.ts';
import { useMessageNews } from './use-message-news.ts';
import { useOlderPages } from './use-older-pages.ts';

const LIMIT = 50;
const ROUTE = 'GET /chat/conversations/:id/links';

/** The web addresses of one message. */
export type MessageLinks = ConversationLinks & { _id: string };

type Answer = { data: readonly ConversationLinks[]; next: number | null };

const named = ({ data, next }: Answer) => ({
  data: data.map((one): MessageLinks => ({ ...one, _id: one.message })),
  next,
});

/** The messages with web addresses, newest first: the first page as it is now, and as many older ones as were asked for. */
export function useConversationLinks(id: string) {
  const params = { id };
  const first = useRead<typeof listLinks>(ROUTE, { params, query: { limit: LIMIT } });
  const { items, dropOlder, ...pages } = useOlderPages({
    first: first.data && named(first.data),
    readBefore: async (before: number) =>
      named(await call<typeof listLinks>(ROUTE, { params, query: { limit: LIMIT, before } })),
    failure: 'Failed to load links',
  });
  const change = (seq: number) => {
    dropOlder(seq);
    void first.mutate();
  };
  useMessageNews(id, {
    onNew: ({ content }) => void (findLinks(content).length > 0 && first.mutate()),
    onEdited: ({ seq }) => change(seq),
    onDeleted: change,
  });
  return { ...first, ...pages, messages: items };
}
