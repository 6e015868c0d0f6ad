import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { ChatServerEvents } from '@atrium/proto-events/realtime';
import { useEffect, useEffectEvent } from 'react';
import { chatSocket } from '../../realtime/socket.ts';

type News = {
  onNew: (message: Message) => void;
  onEdited?: (message: Message) => void;
  onDeleted: (seq: number) => void;
};

/** Subscribes to message events of a conversation while the component is mounted. */
export function useMessageNews(conversation: string, { onNew, onEdited, onDeleted }: News): void {
  const noteNew: ChatServerEvents['message:new'] = useEffectEvent(({ message }) => {
    if (message.conversation === conversation) onNew(message);
  });
  const noteEdited: ChatServerEvents['message:updated'] = useEffectEvent(({ message }) => {
    if (message.conversation === conversation) onEdited?.(message);
  });
  const noteDeleted: ChatServerEvents['message:deleted'] = useEffectEvent((told) => {
    if (told.conversation === conversation) onDeleted(told.seq);
  });
  useEffect(() => {
    const hearNew: typeof noteNew = (told) => noteNew(told);
    const hearEdited: typeof noteEdited = (told) => noteEdited(told);
    const hearDeleted: typeof noteDeleted = (told) => noteDeleted(told);
    chatSocket.on('message:new', hearNew);
    chatSocket.on('message:updated', hearEdited);
    chatSocket.on('message:deleted', hearDeleted);
    return () => {
      chatSocket.off('message:new', hearNew);
      chatSocket.off('message:updated', hearEdited);
      chatSocket.off('message:deleted', hearDeleted);
    };
  }, []);
}
