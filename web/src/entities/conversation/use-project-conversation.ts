import type { Conversation, listConversations } from '@atrium/proto-events/http/chat';
import { useEffect } from 'react';
import { loadChunk } from '#lib/lazy.ts';
import { useRead } from '#lib/query/use-read.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { useRefetch } from '#realtime/use-write.ts';
import { createListener, createMessageBuffer, messageEvents } from './conversation-events.ts';
import { PATH } from './conversation-list-cache.ts';
import { useListChanges } from './use-conversations.ts';

export function useProjectConversation(project: string): Conversation | undefined {
  const { data } = useRead<typeof listConversations>(`GET ${PATH}`, { query: { project, limit: 1, people: 1 } });
  useListMessageEvents();
  return data?.data[0];
}

function useListMessageEvents(): void {
  const currentUserId = useCurrentUser()._id;
  const changes = useListChanges();
  const refetch = useRefetch();
  useEffect(() => {
    const reload = () => refetch((key) => key.startsWith(PATH));
    const buffer = createMessageBuffer();
    const listen = createListener(
      messageEvents({ currentUserId, lists: { ...changes, reload }, buffer, isSeen: () => false }),
    );
    let stop: (() => void) | undefined;
    let isOver = false;
    void loadChunk(() => import('#realtime/connection/socket.ts')).then(({ chatSocket }) => {
      if (isOver) return;
      chatSocket.onAny(listen);
      stop = () => void chatSocket.offAny(listen);
    });
    return () => {
      isOver = true;
      buffer.stop();
      stop?.();
    };
  }, [currentUserId, changes, refetch]);
}
