import {
  AUTHENTICATION_ERROR,
  type ChatClientEvents,
  type ChatServerEvents,
  type LiveClientEvents,
  type LiveServerEvents,
} from '@atrium/proto-events/realtime';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { createAdapter } from '@socket.io/redis-adapter';
import { type DefaultEventsMap, type Namespace, Server, type Socket } from 'socket.io';
import type { RealtimeRedis } from '../realtime/redis.ts';
import { createHandshakes, type Handshakes } from './handshake-limiter.ts';

/** What is known of a socket since its handshake. */
export type SocketData = {
  caller: Caller;
  issuedAt: number;
  /** When its token expires, and it with the token. */
  expiresAt: number;
  /** Where it belongs, as it was at this stamp; until it has entered. */
  conversations: string[];
  stamp: number;
};

/** What pods ask one another. */
export type PodEvents = {
  'membership:sync': (conversationId: string, userIds: string[], done: () => void) => void;
};

export type ChatNamespace = Namespace<ChatClientEvents, ChatServerEvents, PodEvents, SocketData>;
export type LiveNamespace = Namespace<LiveClientEvents, LiveServerEvents, DefaultEventsMap, SocketData>;
export type ChatSocket = Socket<ChatClientEvents, ChatServerEvents, PodEvents, SocketData>;
export type LiveSocket = Socket<LiveClientEvents, LiveServerEvents, DefaultEventsMap, SocketData>;
export type AnySocket = ChatSocket | LiveSocket;

export type Sockets = { io: Server; chat: ChatNamespace; live: LiveNamespace; handshakes: Handshakes };

/** The longest message has 10,000 characters; six bytes each, escaped, and what stands around it. */
const MAX_FRAME_BYTES = 128 * 1024;

/** The socket server, not yet attached to anything: use cases announce through it, so it is there before them. */
export function createSockets({ publisher, subscriber, prefix }: RealtimeRedis): Sockets {
  const io = new Server({
    transports: ['websocket'],
    serveClient: false,
    perMessageDeflate: false,
    maxHttpBufferSize: MAX_FRAME_BYTES,
    pingInterval: 10_000,
    pingTimeout: 10_000,
    connectTimeout: 10_000,
    adapter: createAdapter(publisher, subscriber, { key: `${prefix}:socket.io` }),
  });
  const handshakes = createHandshakes();
  // Nothing happens in the root namespace, so nobody may stay there unasked.
  io.use(({ conn }, next) => {
    handshakes.refuse(conn);
    next(new Error(AUTHENTICATION_ERROR));
  });
  return { io, chat: io.of('/chat'), live: io.of('/live'), handshakes };
}

/** The sockets of this pod, of both namespaces. */
export function localSockets({ chat, live }: Sockets): AnySocket[] {
  return [...chat.sockets.values(), ...live.sockets.values()];
}
