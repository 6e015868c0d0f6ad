import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { chatSocket, emitChat } from '#realtime/socket.ts';

const RESEND_INTERVAL_MS = 2_000;
const IDLE_MS = 4_000;

type Typing = { conversation: string; sentAt: number; idle: ReturnType<typeof setTimeout> };

/** Reset on sign-out, without an event. */
const typing = createUserScopedStore<{ current: Typing | null }>(
  () => ({ current: null }),
  ({ current }) => clearTimeout(current?.idle),
);

/** Sends `typing` at most every two seconds, and `typing stopped` after four seconds without input. */
export function sendTyping(conversation: string): void {
  const mine = typing.get();
  if (mine.current && mine.current.conversation !== conversation) sendTypingStopped();
  const isDue = !mine.current || Date.now() - mine.current.sentAt > RESEND_INTERVAL_MS;
  clearTimeout(mine.current?.idle);
  mine.current = {
    conversation,
    sentAt: isDue ? Date.now() : (mine.current?.sentAt ?? 0),
    idle: setTimeout(sendTypingStopped, IDLE_MS),
  };
  if (isDue) emit('typing:start', conversation);
}

export function sendTypingStopped(): void {
  const mine = typing.get();
  if (!mine.current) return;
  clearTimeout(mine.current.idle);
  emit('typing:stop', mine.current.conversation);
  mine.current = null;
}

function emit(event: 'typing:start' | 'typing:stop', conversationId: string): void {
  // A lost typing event does no harm.
  if (chatSocket.connected) emitChat(event, { conversationId }).catch(() => undefined);
}
