import { createUserScopedStore } from '../../../lib/session/user-scoped-store.ts';
import { chatSocket, emitChat } from '../../../realtime/socket.ts';

const AGAIN_MS = 2_000;
const IDLE_MS = 4_000;

type Typing = { conversation: string; toldAt: number; idle: ReturnType<typeof setTimeout> };

/** Reset on sign-out, without an event. */
const typing = createUserScopedStore<{ current: Typing | null }>(
  () => ({ current: null }),
  ({ current }) => clearTimeout(current?.idle),
);

/** Sends `typing` at most every two seconds, and `typing stopped` after four seconds without input. */
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
  // A lost typing event does no harm.
  if (chatSocket.connected) emitChat(event, { conversationId }).catch(() => undefined);
}
