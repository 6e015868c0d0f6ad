import type { listAttachments } from '@atrium/proto-events/http/chat-attachments';
import type { ConversationLinks, listLinks, Message } from '@atrium/proto-events/http/chat-messages';
import { findWebAddresses } from '@atrium/proto-events/links';
import type { ChatServerEvents } from '@atrium/proto-events/realtime';
import { useEffect, useEffectEvent } from 'react';
import { call } from '#lib/api/api.ts';
import { useRead } from '#lib/query/use-read.ts';
import { chatSocket } from '#realtime/connection/socket.ts';
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
    onDeleted(seq) {
      change(seq, null);
      void first.mutate();
    },
  });
  return { ...first, ...pages, files: items };
}

type MessageEventHandlers = {
  onNew: (message: Message) => void;
  onEdited?: (message: Message) => void;
  onDeleted: (seq: number) => void;
};

function useMessageEvents(conversationId: string, { onNew, onEdited, onDeleted }: MessageEventHandlers): void {
  const onNewEvent: ChatServerEvents['message:new'] = useEffectEvent(({ message }) => {
    if (message.conversation === conversationId) onNew(message);
  });
  const onEditedEvent: ChatServerEvents['message:updated'] = useEffectEvent(({ message }) => {
    if (message.conversation === conversationId) onEdited?.(message);
  });
  const onDeletedEvent: ChatServerEvents['message:deleted'] = useEffectEvent((event) => {
    if (event.conversation === conversationId) onDeleted(event.seq);
  });
  useEffect(() => {
    const handleNew: typeof onNewEvent = (event) => onNewEvent(event);
    const handleEdited: typeof onEditedEvent = (event) => onEditedEvent(event);
    const handleDeleted: typeof onDeletedEvent = (event) => onDeletedEvent(event);
    chatSocket.on('message:new', handleNew);
    chatSocket.on('message:updated', handleEdited);
    chatSocket.on('message:deleted', handleDeleted);
    return () => {
      chatSocket.off('message:new', handleNew);
      chatSocket.off('message:updated', handleEdited);
      chatSocket.off('message:deleted', handleDeleted);
    };
  }, []);
}

const PAGE_SIZE = 50;
const LINKS_ROUTE = 'GET /chat/conversations/:id/links';

export type MessageLinks = ConversationLinks & { _id: string };

type LinksPage = { data: readonly ConversationLinks[]; next: number | null };

const withIds = ({ data, next }: LinksPage) => ({
  data: data.map((links): MessageLinks => ({ ...links, _id: links.message })),
  next,
});

function linksOf({ _id, conversation, seq, content, sender, createdAt }: Message): MessageLinks | null {
  const links = findWebAddresses(content);
  return links.length === 0 ? null : { _id, conversation, message: _id, seq, links, sender, createdAt };
}

export function useConversationLinks(id: string) {
  const params = { id };
  const first = useRead<typeof listLinks>(LINKS_ROUTE, { params, query: { limit: PAGE_SIZE } });
  const { items, change, ...pages } = useOlderPages({
    first: first.data && withIds(first.data),
    read: async (before?: number) =>
      withIds(await call<typeof listLinks>(LINKS_ROUTE, { params, query: { limit: PAGE_SIZE, before } })),
    failure: 'Failed to load links',
  });
  const update = (seq: number, links: MessageLinks | null) => {
    change(seq, links);
    void first.mutate();
  };
  useMessageEvents(id, {
    onNew: ({ content }) => void (findWebAddresses(content).length > 0 && first.mutate()),
    onEdited: (message) => update(message.seq, linksOf(message)),
    onDeleted: (seq) => update(seq, null),
  });
  return { ...first, ...pages, messages: items };
}
