import type { ConversationAttachment, listAttachments } from '@atrium/proto-events/http/chat-attachments';
import type { ChatServerEvents } from '@atrium/proto-events/realtime';
import { useEffect, useEffectEvent, useState } from 'react';
import { call } from '../../lib/api/api.ts';
import { useRead } from '../../lib/cache/use-read.ts';
import { chatSocket } from '../../realtime/socket.ts';
import { useAction } from '../../ui/overlays/use-action.ts';
import { joinedFiles } from './joined-files.ts';

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
    onFiles: () => void first.mutate(),
    onDeleted(seq) {
      setOlder((known) => known && { ...known, files: known.files.filter((file) => file.seq !== seq) });
      void first.mutate();
    },
  });
  return { ...first, files, hasMore: next !== null, loadMore: () => void more.run(), isLoadingMore: more.isBusy };
}

type News = { onFiles: () => void; onDeleted: (seq: number) => void };

/** Follows what is said in a conversation for as long as its files are looked at. */
function useMessageNews(conversation: string, { onFiles, onDeleted }: News): void {
  const noteNew: ChatServerEvents['message:new'] = useEffectEvent(({ message }) => {
    if (message.conversation === conversation && message.attachments?.length) onFiles();
  });
  const noteDeleted: ChatServerEvents['message:deleted'] = useEffectEvent((told) => {
    if (told.conversation === conversation) onDeleted(told.seq);
  });
  useEffect(() => {
    const hearNew: typeof noteNew = (told) => noteNew(told);
    const hearDeleted: typeof noteDeleted = (told) => noteDeleted(told);
    chatSocket.on('message:new', hearNew);
    chatSocket.on('message:deleted', hearDeleted);
    return () => {
      chatSocket.off('message:new', hearNew);
      chatSocket.off('message:deleted', hearDeleted);
    };
  }, []);
}
