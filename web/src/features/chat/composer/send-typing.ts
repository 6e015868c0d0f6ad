import { createUserScopedStore } from '../../../lib/session/user-scoped-store.ts';
import { chatSocket, emitChat } from '../../../realtime/socket.ts';

const AGAIN_MS = 2_000;
const IDLE_MS = 4_000;

type Typing = { conversation: string; toldAt: number; idle: ReturnType<typeof setTimeout> };

/** Whoever leaves has stopped, and tells nobody any more. */
const typing = createUserScopedStore<{ current: Typing | null }>(
  () => ({ current: null }),
  ({ current }) => clearTimeout(current?.idle),
);

/** Tells the others that one is typing: at most every two seconds, and that it is over after four without a key. */
export function tellTyping(conversation: string): void {
  const mine = typing.get();
  if (mine.current && mine.current.conversation !== conversation) tellStopped();
  const isDue = !mine.current || Date.now() - mine.current.toldAt > AGAIN_MS;
  clearTimeout(mine.current?.idle);
  mine.current = {
    conversation,
    toldAt: isDue ? Date.now() : (mine.current?.toldAt ?? 0),
    idle: setTimeout(tellStopped, IDLE_MS),
  };
  if (isDue) tell('typing:start', conversation);
}

export function tellStopped(): void {
  const mine = typing.get();
  if (!mine.current) return;
  clearTimeout(mine.current.idle);
  tell('typing:stop', mine.current.conversation);
  mine.current = null;
}

function tell(event: 'typing:start' | 'typing:stop', conversationId: string): void {
  // A hint that is lost does no harm.
  if (chatSocket.connected) emitChat(event, { conversationId }).catch(() => undefined);
}
