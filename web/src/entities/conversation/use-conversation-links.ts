import type { ConversationLinks, listLinks, Message } from '@atrium/proto-events/http/chat-messages';
import { findWebAddresses } from '@atrium/proto-events/links';
import { call } from '#lib/api/api.ts';
import { useRead } from '#lib/query/use-read.ts';
import { useMessageEvents } from './use-message-events.ts';
import { useOlderPages } from './use-older-pages.ts';

const LIMIT = 50;
const ROUTE = 'GET /chat/conversations/:id/links';

export type MessageLinks = ConversationLinks & { _id: string };

type Answer = { data: readonly ConversationLinks[]; next: number | null };

const named = ({ data, next }: Answer) => ({
  data: data.map((one): MessageLinks => ({ ...one, _id: one.message })),
  next,
});

/** The links the server finds in a message; null if there are none. */
function linksOf({ _id, conversation, seq, content, sender, createdAt }: Message): MessageLinks | null {
  const links = findWebAddresses(content);
  return links.length === 0 ? null : { _id, conversation, message: _id, seq, links, sender, createdAt };
}

/** The messages with links, newest first: the live first page and any older pages loaded so far. */
export function useConversationLinks(id: string) {
  const params = { id };
  const first = useRead<typeof listLinks>(ROUTE, { params, query: { limit: LIMIT } });
  const { items, change, ...pages } = useOlderPages({
    first: first.data && named(first.data),
    read: async (before?: number) =>
      named(await call<typeof listLinks>(ROUTE, { params, query: { limit: LIMIT, before } })),
    failure: 'Failed to load links',
  });
  const note = (seq: number, links: MessageLinks | null) => {
    change(seq, links);
    void first.mutate();
  };
  useMessageEvents(id, {
    onNew: ({ content }) => void (findWebAddresses(content).length > 0 && first.mutate()),
    onEdited: (message) => note(message.seq, linksOf(message)),
    onDeleted: (seq) => note(seq, null),
  });
  return { ...first, ...pages, messages: items };
}
