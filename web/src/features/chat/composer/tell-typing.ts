import { chatSocket, emitChat } from '../../../realtime/socket.ts';

const AGAIN_MS = 2_000;
const IDLE_MS = 4_000;

let current: { conversation: string; toldAt: number; idle: ReturnType<typeof setTimeout> } | null = null;

/** Tells the others that one is typing: at most every two seconds, and that it is over after four without a key. */
export function tellTyping(conversation: string): void {
  if (current && current.conversation !== conversation) tellStopped();
  const isDue = !current || Date.now() - current.toldAt > AGAIN_MS;
  clearTimeout(current?.idle);
  current = {
    conversation,
    toldAt: isDue ? Date.now() : (current?.toldAt ?? 0),
    idle: setTimeout(tellStopped, IDLE_MS),
  };
  if (isDue) tell('typing:start', conversation);
}

export function tellStopped(): void {
  if (!current) return;
  clearTimeout(current.idle);
  tell('typing:stop', current.conversation);
  current = null;
}

function tell(event: 'typing:start' | 'typing:stop', conversationId: string): void {
  // A hint that is lost does no harm.
  if (chatSocket.connected) emitChat(event, { conversationId }).catch(() => undefined);
}
