import type {
  ChatClientEvents,
  ChatServerEvents,
  LiveClientEvents,
  LiveServerEvents,
} from '@atrium/proto-events/realtime';
import { Manager, type Socket } from 'socket.io-client';
import { refreshBeforeExpiry } from '#lib/api/refresh-tokens.ts';
import { onTokensChange, refreshDueAt } from '#lib/api/tokens.ts';
import { autoReconnect, type Connection } from './auto-reconnect.ts';
import { SOCKET_TIMEOUT_MS } from './reconnect-delay.ts';
import { isConnecting, setStatus } from './status.ts';

export type LiveSocket = Socket<LiveServerEvents, LiveClientEvents>;
export type ChatSocket = Socket<ChatServerEvents, ChatClientEvents>;

// One connection carries both namespaces. `auto-reconnect.ts` sets the delays of reconnects.
const manager = new Manager(window.location.origin, {
  transports: ['websocket'],
  timeout: SOCKET_TIMEOUT_MS,
  reconnection: false,
  autoConnect: false,
});

export const liveSocket: LiveSocket = manager.socket('/live');
export const chatSocket: ChatSocket = manager.socket('/chat');

export function startSockets(): () => void {
  const connections: Connection[] = [];
  const updateStatus = () => {
    const connectedCount = connections.filter(({ isConnected }) => isConnected()).length;
    if (connectedCount === connections.length) setStatus('connected');
    // One socket connects after the other.
    else if (connectedCount === 0 || !isConnecting()) setStatus('disconnected');
  };
  setStatus('connecting');
  for (const socket of [liveSocket, chatSocket]) connections.push(autoReconnect(socket, updateStatus));
  const stopRefreshing = startTokenRefreshLoop();
  return () => {
    stopRefreshing();
    for (const { stop } of connections) stop();
  };
}

type Payload<E extends keyof ChatClientEvents> = Parameters<ChatClientEvents[E]>[0];
type Response<E extends keyof ChatClientEvents> = Parameters<Parameters<ChatClientEvents[E]>[1]>[0];
type Data<E extends keyof ChatClientEvents> = Extract<Response<E>, { ok: true }>['data'];

export function emitChat<E extends keyof ChatClientEvents>(event: E, payload: Payload<E>): Promise<Data<E>> {
  return new Promise((resolve, reject) => {
    if (!chatSocket.connected) return reject(new Error('WebSocket not connected'));
    const timer = setTimeout(() => reject(new Error('Connection timeout')), SOCKET_TIMEOUT_MS);
    const onResponse = (response: Response<E>) => {
      clearTimeout(timer);
      if (response.ok) resolve(response.data as Data<E>);
      else reject(new Error(response.error.message));
    };
    // The event map guarantees the pair; socket.io's types cannot follow a generic event name.
    (chatSocket as unknown as Socket).emit(event, payload, onResponse);
  });
}

/** Spreads the refreshes of tabs and users whose tokens expire together. */
const SPREAD_MS = 15_000;
const RETRY_MS = 15_000;

function startTokenRefreshLoop(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const scheduleRefresh = (minDelayMs = 0) => {
    clearTimeout(timer);
    const dueAt = refreshDueAt();
    if (dueAt === null) return;
    timer = setTimeout(() => void refresh(), Math.max(minDelayMs, dueAt - Date.now() + Math.random() * SPREAD_MS));
  };
  const refresh = async () => {
    await refreshBeforeExpiry().catch(() => undefined);
    // A successful refresh has scheduled the next one already; this covers a failed one.
    scheduleRefresh(RETRY_MS);
  };
  const stop = onTokensChange(() => scheduleRefresh());
  scheduleRefresh();
  return () => {
    clearTimeout(timer);
    stop();
  };
}
