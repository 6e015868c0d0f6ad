import type { ConversationAttachment, listAttachments } from '@atrium/proto-events/http/chat-attachments';
import { useState } from 'react';
import { call } from '../../lib/api/api.ts';
import { useRead } from '../../lib/cache/use-read.ts';
import { useAction } from '../../ui/overlays/use-action.ts';
import { joinedFiles } from './joined-files.ts';
import { useMessageNews } from './use-message-news.ts';

const LIMIT = 50;
const ROUTE = 'GET /chat/conversations/:id/attachments';

type Older = { files: readonly ConversationAttachment[]; next: string | null };

/** The files of a conversation, newest first: the first page as it is now, and as many older ones as were asked for. */
export function useConversationFiles(id: string) {
  const params = { id };
  const first = useRead<typeof listAttachments>(ROUTE, { params, query: { limit: LIMIT } });
  const [older, setOlder] = useState<Older>();
  const files = joinedFiles(first.data?.data ?? [], older?.files ?? []);
  const next = older ? older.next : (first.data?.next ?? null);
  const more = useAction(async () => {
    if (next === null) return;
    const page = await call<typeof listAttachments>(ROUTE, { params, query: { limit: LIMIT, before: next } });
    // Those of the first page, too: what comes meanwhile pushes them off it.
    setOlder({ files: [...files, ...page.data], next: page.next });
  }, 'Failed to load files');
  useMessageNews(id, {
    onNew: ({ attachments }) => void (attachments?.length && first.mutate()),
    onDeleted(seq) {
      setOlder((known) => known && { ...known, files: known.files.filter((file) => file.seq !== seq) });
      void first.mutate();
    },
  });
  return { ...first, files, hasMore: next !== null, loadMore: () => void more.run(), isLoadingMore: more.isBusy };
}
