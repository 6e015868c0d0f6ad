import type { ConversationLinks, listLinks } from '@atrium/proto-events/http/chat-messages';
import { findLinks } from '@atrium/proto-events/links';
import { useState } from 'react';
import { call } from '../../lib/api/api.ts';
import { useRead } from '../../lib/cache/use-read.ts';
import { useAction } from '../../ui/overlays/use-action.ts';
import { joinedFiles } from './joined-files.ts';
import { useMessageNews } from './use-message-news.ts';

const LIMIT = 50;
const ROUTE = 'GET /chat/conversations/:id/links';

/** The web addresses of one message. */
export type MessageLinks = ConversationLinks & { _id: string };

type Older = { messages: readonly MessageLinks[]; next: number | null };

const named = (data: readonly ConversationLinks[]) => data.map((one): MessageLinks => ({ ...one, _id: one.message }));

/** The messages with web addresses, newest first: the first page as it is now, and as many older ones as were asked for. */
export function useConversationLinks(id: string) {
  const params = { id };
  const first = useRead<typeof listLinks>(ROUTE, { params, query: { limit: LIMIT } });
  const [older, setOlder] = useState<Older>();
  const messages = joinedFiles(named(first.data?.data ?? []), older?.messages ?? []);
  const next = older ? older.next : (first.data?.next ?? null);
  const more = useAction(async () => {
    if (next === null) return;
    const page = await call<typeof listLinks>(ROUTE, { params, query: { limit: LIMIT, before: next } });
    // Those of the first page, too: what comes meanwhile pushes them off it.
    setOlder({ messages: [...messages, ...named(page.data)], next: page.next });
  }, 'Failed to load links');
  const dropOlder = (seq: number) =>
    setOlder((known) => known && { ...known, messages: known.messages.filter((one) => one.seq !== seq) });
  useMessageNews(id, {
    onNew: ({ content }) => void (findLinks(content).length > 0 && first.mutate()),
    onEdited(message) {
      dropOlder(message.seq);
      void first.mutate();
    },
    onDeleted(seq) {
      dropOlder(seq);
      void first.mutate();
    },
  });
  return { ...first, messages, hasMore: next !== null, loadMore: () => void more.run(), isLoadingMore: more.isBusy };
}
