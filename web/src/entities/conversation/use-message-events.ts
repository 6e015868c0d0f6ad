import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { ChatServerEvents } from '@atrium/proto-events/realtime';
import { useEffect, useEffectEvent } from 'react';
import { chatSocket } from '#realtime/socket.ts';

type MessageEventHandlers = {
  onNew: (message: Message) => void;
  onEdited?: (message: Message) => void;
  onDeleted: (seq: number) => void;
};

/** Subscribes to message events of a conversation while the component is mounted. */
export function useMessageEvents(conversation: string, { onNew, onEdited, onDeleted }: MessageEventHandlers): void {
  const onNewEvent: ChatServerEvents['message:new'] = useEffectEvent(({ message }) => {
    if (message.conversation === conversation) onNew(message);
  });
  const onEditedEvent: ChatServerEvents['message:updated'] = useEffectEvent(({ message }) => {
    if (message.conversation === conversation) onEdited?.(message);
  });
  const onDeletedEvent: ChatServerEvents['message:deleted'] = useEffectEvent((event) => {
    if (event.conversation === conversation) onDeleted(event.seq);
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
