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
import { createHandshakeLimiter, type HandshakeLimiter } from './handshake-limiter.ts';
import type { RedisClients } from './redis.ts';

type SocketData = {
  caller: Caller;
  issuedAt: number;
  expiresAt: number;
  /** Read during the handshake at `participationVersion`; empty once the socket has joined the rooms. */
  conversations: string[];
  participationVersion: number;
  /** Resolves once the socket is in the rooms of its conversations, or is closed; absent during the handshake. */
  entered?: Promise<void>;
};

export type ParticipantsChange = { conversationId: string; addedIds: string[]; removedIds: string[] };

type PodEvents = { 'membership:change': (change: ParticipantsChange) => void };

export type ChatNamespace = Namespace<ChatClientEvents, ChatServerEvents, PodEvents, SocketData>;
export type LiveNamespace = Namespace<LiveClientEvents, LiveServerEvents, DefaultEventsMap, SocketData>;
export type ChatSocket = Socket<ChatClientEvents, ChatServerEvents, PodEvents, SocketData>;
export type LiveSocket = Socket<LiveClientEvents, LiveServerEvents, DefaultEventsMap, SocketData>;
export type AnySocket = ChatSocket | LiveSocket;

export type SocketServer = { io: Server; chat: ChatNamespace; live: LiveNamespace; handshakes: HandshakeLimiter };

/** A message of 10,000 characters at six bytes each when escaped, plus its envelope. */
const MAX_FRAME_BYTES = 128 * 1024;

/** Attach it to the HTTP server later: use cases broadcast through it, so it is created before them. */
export function createSocketServer({ publisher, subscriber, prefix }: RedisClients): SocketServer {
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
  const handshakes = createHandshakeLimiter();
  // The root namespace is unused, so connections to it are rejected.
  io.use(({ conn }, next) => {
    handshakes.reject(conn);
    next(new Error(AUTHENTICATION_ERROR));
  });
  return { io, chat: io.of('/chat'), live: io.of('/live'), handshakes };
}

export function socketsIn<S extends AnySocket>(
  {
    adapter,
    sockets,
  }: { adapter: { rooms: ReadonlyMap<string, ReadonlySet<string>> }; sockets: ReadonlyMap<string, S> },
  room: string,
): S[] {
  return [...(adapter.rooms.get(room) ?? [])].flatMap((id) => sockets.get(id) ?? []);
}

// Rooms of both namespaces. Every socket is in the rooms of its user, its session, and its conversations.

export const userRoom = (userId: string) => `user:${userId}`;
export const sessionRoom = (sessionId: string) => `session:${sessionId}`;

const CONVERSATION = 'conversation:';
export const conversationRoom = (conversationId: string) => CONVERSATION + conversationId;
export const isConversationRoom = (room: string) => room.startsWith(CONVERSATION);

const PRESENCE = 'presence:';
export const presenceRoom = (userId: string) => PRESENCE + userId;
export const isPresenceRoom = (room: string) => room.startsWith(PRESENCE);

const TAG = 'tag:';
/**
 * A browser that shows the numbers of projects nearly always shows projects, too. In one room, both reach a socket in one frame:
 * with thousands of sockets, the number of frames determines the cost.
 */
const SHARED_TAGS: Readonly<Record<string, string>> = { 'project-counts': 'projects' };
export const tagRoom = (tag: string) => TAG + (SHARED_TAGS[tag] ?? tag);
export const isTagRoom = (room: string) => room.startsWith(TAG);

const DEPARTMENT = 'department:';
export const departmentRoom = (departmentId: string) => DEPARTMENT + departmentId;
export const isDepartmentRoom = (room: string) => room.startsWith(DEPARTMENT);

export const ADMINS = 'role:admin';
