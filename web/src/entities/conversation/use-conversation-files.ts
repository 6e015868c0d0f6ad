import type { listAttachments } from '@atrium/proto-events/http/chat-attachments';
import { call } from '#lib/api/api.ts';
import { useRead } from '#lib/query/use-read.ts';
import { useMessageEvents } from './use-message-events.ts';
import { useOlderPages } from './use-older-pages.ts';

const LIMIT = 50;
const ROUTE = 'GET /chat/conversations/:id/attachments';

/** The files of a conversation, newest first: the live first page and any older pages loaded so far. */
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
