import type {
  ChatClientEvents,
  ChatServerEvents,
  LiveClientEvents,
  LiveServerEvents,
} from '@atrium/proto-events/realtime';
import { Manager, type Socket } from 'socket.io-client';
import { keepConnected } from './auto-reconnect.ts';
import { keepTokenFresh } from './refresh-token-loop.ts';
import { setStatus } from './status.ts';
import { TIMEOUT_MS } from './topic-subscriptions/sync-topics.ts';

export type LiveSocket = Socket<LiveServerEvents, LiveClientEvents>;
export type ChatSocket = Socket<ChatServerEvents, ChatClientEvents>;

// One connection carries both namespaces. How it is tried again is ours, because the product says how.
const manager = new Manager(window.location.origin, {
  transports: ['websocket'],
  timeout: TIMEOUT_MS,
  reconnection: false,
  autoConnect: false,
});

export const liveSocket: LiveSocket = manager.socket('/live');
export const chatSocket: ChatSocket = manager.socket('/chat');

/** Connects both namespaces for as long as someone is signed in; the returned function ends it. */
export function startSockets(): () => void {
  const connections = [liveSocket, chatSocket].map((socket) => keepConnected(socket, () => tellStatus()));
  const tellStatus = () => setStatus(connections.every(({ isUp }) => isUp()) ? 'connected' : 'disconnected');
  const stopRenewing = keepTokenFresh();
  return () => {
    stopRenewing();
    for (const { stop } of connections) stop();
  };
}

type Payload<E extends keyof ChatClientEvents> = Parameters<ChatClientEvents[E]>[0];
type Answer<E extends keyof ChatClientEvents> = Parameters<Parameters<ChatClientEvents[E]>[1]>[0];
type Data<E extends keyof ChatClientEvents> = Extract<Answer<E>, { ok: true }>['data'];

/** Sends an event on `/chat` and waits for its acknowledgement. */
export function emitChat<E extends keyof ChatClientEvents>(event: E, payload: Payload<E>): Promise<Data<E>> {
  return new Promise((resolve, reject) => {
    if (!chatSocket.connected) return reject(new Error('WebSocket not connected'));
    const timer = setTimeout(() => reject(new Error('Connection timeout')), TIMEOUT_MS);
    const onAnswer = (answer: Answer<E>) => {
      clearTimeout(timer);
      if (answer.ok) resolve(answer.data as Data<E>);
      else reject(new Error(answer.error.message));
    };
    // The map of events guarantees the pair; socket.io's own type cannot follow a generic event name.
    (chatSocket as unknown as Socket).emit(event, payload, onAnswer);
  });
}
