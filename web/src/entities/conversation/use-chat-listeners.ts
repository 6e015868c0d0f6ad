import type { ChatServerEvents } from '@atrium/proto-events/realtime';
import { useEffect, useEffectEvent } from 'react';
import { chatSocket } from '#realtime/connection/socket.ts';
import { createListener } from './follow-conversations.ts';

/** Calls the handlers of the latest render. */
export function useChatListeners(events: Partial<ChatServerEvents>): void {
  const handle = useEffectEvent((name: string, payload: unknown) => createListener(events)(name, payload));
  useEffect(() => {
    const listen = (name: string, payload: unknown) => handle(name, payload);
    chatSocket.onAny(listen);
    return () => {
      chatSocket.offAny(listen);
    };
  }, []);
}
