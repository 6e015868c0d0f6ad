import type { listAttachments } from '@atrium/proto-events/http/chat/attachments';
import type { ConversationLinks, listLinks, Message } from '@atrium/proto-events/http/chat/messages';
import { findWebAddresses } from '@atrium/proto-events/links';
import { call } from '#lib/api/api.ts';
import { useRead } from '#lib/query/use-read.ts';
import { useChatListeners } from './use-chat-listeners.ts';
import { useOlderPages } from './use-older-pages.ts';

const LIMIT = 50;
const ROUTE = 'GET /chat/conversations/:id/attachments';

export function useConversationFiles(id: string) {
  const params = { id };
  const first = useRead<typeof listAttachments>(ROUTE, { params, query: { limit: LIMIT } });
  const { items, change, ...pages } = useOlderPages({
    first: first.data,
    read: (before?: string) => call<typeof listAttachments>(ROUTE, { params, query: { limit: LIMIT, before } }),
    failure: 'Failed to load files',
  });
  useMessageEvents(id, {
    onNew: ({ attachments }) => void (attachments.length > 0 && first.mutate()),
    onDeleted(message) {
      change(message, null);
      void first.mutate();
    },
  });
  return { ...first, ...pages, files: items };
}

type MessageEventHandlers = {
  onNew: (message: Message) => void;
  onEdited?: (message: Message) => void;
  onDeleted: (message: string) => void;
};

/** Of messages and replies. */
function useMessageEvents(id: string, { onNew, onEdited, onDeleted }: MessageEventHandlers): void {
  const isCopy = (message: Message, thread: string | undefined) =>
    thread === undefined && message.thread?.root !== undefined;
  useChatListeners({
    'message:new': ({ message }) => void (message.conversation === id && onNew(message)),
    'thread:message': ({ message }) => void (message.conversation === id && onNew(message)),
    'message:updated': ({ message, thread }) =>
      void (message.conversation === id && !isCopy(message, thread) && onEdited?.(message)),
    'message:deleted': ({ conversation, message }) => void (conversation === id && onDeleted(message)),
  });
}

const PAGE_SIZE = 50;
const LINKS_ROUTE = 'GET /chat/conversations/:id/links';

export type MessageLinks = ConversationLinks & { _id: string };

type LinksPage = { data: readonly ConversationLinks[]; next: string | null };

const withIds = ({ data, next }: LinksPage) => ({
  data: data.map((links): MessageLinks => ({ ...links, _id: links.message })),
  next,
});

function linksOf({ _id, conversation, thread, seq, content, sender, createdAt }: Message): MessageLinks | null {
  const links = findWebAddresses(content);
  const root = thread?.root ?? null;
  return links.length === 0 ? null : { _id, conversation, message: _id, thread: root, seq, links, sender, createdAt };
}

export function useConversationLinks(id: string) {
  const params = { id };
  const first = useRead<typeof listLinks>(LINKS_ROUTE, { params, query: { limit: PAGE_SIZE } });
  const { items, change, ...pages } = useOlderPages({
    first: first.data && withIds(first.data),
    read: async (before?: string) =>
      withIds(await call<typeof listLinks>(LINKS_ROUTE, { params, query: { limit: PAGE_SIZE, before } })),
    failure: 'Failed to load links',
  });
  const update = (message: string, links: MessageLinks | null) => {
    change(message, links);
    void first.mutate();
  };
  useMessageEvents(id, {
    onNew: ({ content }) => void (findWebAddresses(content).length > 0 && first.mutate()),
    onEdited: (message) => update(message._id, linksOf(message)),
    onDeleted: (message) => update(message, null),
  });
  return { ...first, ...pages, messages: items };
}
