import type { DirectoryUser } from '@atrium/proto-events/people';
import { AUTHENTICATION_ERROR, MAX_SOCKETS, TOO_MANY_CONNECTIONS } from '@atrium/proto-events/realtime';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Revocations } from '@atrium/service-kit/directory/revocations';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { TokenVerifier } from '@atrium/service-kit/http/authenticate';
import { toAppError } from '@atrium/service-kit/http/http-errors';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { InFlightLimiter } from '@atrium/service-kit/process/concurrency';
import type { ConversationRooms } from './conversation-rooms.ts';
import type { EventRateLimits } from './event-rate-limits.ts';
import type { HandshakeLimiter } from './handshake-limiter.ts';
import { type AnySocket, type SocketServer, sessionRoom, socketsIn, userRoom } from './socket-server.ts';

export type AuthenticationDeps = {
  verifier: TokenVerifier;
  directory: Directory;
  revocations: Revocations;
  log: Logger;
  rooms: ConversationRooms;
  rateLimits: EventRateLimits;
  socketCounts: InFlightLimiter;
  handshakes: HandshakeLimiter;
};

type Next = (error?: Error) => void;

/**
 * An invalid token is rejected with an error, so that the client gets a new one. If the token cannot be verified now,
 * the connection is dropped instead, and the client reconnects automatically.
 */
export const authenticateSocket =
  ({ verifier, log, rooms, rateLimits, socketCounts, handshakes }: AuthenticationDeps) =>
  (socket: AnySocket, next: Next): void => {
    const endHandshake = handshakes.begin(socket.conn);
    if (!endHandshake) {
      next(new Error(AUTHENTICATION_ERROR));
      return;
    }
    const authenticate = async () => {
      const { issuedAt, expiresAt, ...caller } = await verifier.verify(parseToken(socket.handshake.auth));
      if (!rateLimits.get(caller.userId).take() || !reserveSlot(socket, socketCounts, caller.userId)) {
        throw new AppError('rate_limited', TOO_MANY_CONNECTIONS);
      }
      socket.data = { caller, issuedAt, expiresAt, ...(await rooms.readConversations(caller.userId)) };
    };
    authenticate().then(
      () => {
        endHandshake(true);
        next();
      },
      (error: unknown) => {
        endHandshake(false);
        const { code } = toAppError(error);
        if (code === 'rate_limited') return next(new Error(TOO_MANY_CONNECTIONS));
        if (code !== 'unauthorized') {
          log.warn({ err: error, code }, 'Failed to authenticate a socket');
          socket.conn.close();
        }
        next(new Error(AUTHENTICATION_ERROR));
      },
    );
  };

/** Rejects the newest socket: if the oldest were closed, both clients would reconnect and keep closing each other. */
function reserveSlot(socket: AnySocket, socketCounts: InFlightLimiter, userId: string): boolean {
  const key = `${socket.nsp.name} ${userId}`;
  if (!socketCounts.acquire(key, MAX_SOCKETS)) return false;
  const disconnectable: Disconnectable = socket;
  let isReserved = true;
  const release = () => {
    if (!isReserved) return;
    isReserved = false;
    socket.conn.off('close', release);
    socketCounts.release(key);
  };
  disconnectable.once('disconnect', release);
  if (socket.conn.readyState === 'open') socket.conn.once('close', release);
  else release();
  return true;
}

type Disconnectable = { once(event: 'disconnect', listener: () => void): unknown };

function parseToken(auth: Record<string, unknown>): string | undefined {
  return typeof auth.token === 'string' ? auth.token : undefined;
}

/** Closes the socket if its session ended during the handshake. */
export function joinRooms(socket: AnySocket, { directory, revocations, rooms, log }: AuthenticationDeps): void {
  const { caller, issuedAt } = socket.data;
  void socket.join([userRoom(caller.userId), sessionRoom(caller.sessionId)]);
  socket.data.entered = rooms.enter(socket).catch((error) => {
    // Otherwise the socket would silently receive nothing; its client reconnects.
    log.warn({ err: error }, 'Failed to join rooms');
    socket.conn.close();
  });
  if (revocations.has(caller.sessionId) || isSessionEnded(directory.user(caller.userId), issuedAt))
    socket.disconnect(true);
}

export function isSessionEnded(user: DirectoryUser | undefined, issuedAt: number): boolean {
  return !user || !isActive(user) || user.sessionsValidAfter > issuedAt;
}

export function disconnectEndedSessions(
  { chat, live }: SocketServer,
  { directory, revocations }: AuthenticationDeps,
): void {
  revocations.onRevoked((sessionId) => {
    for (const { local } of [chat, live]) local.in(sessionRoom(sessionId)).disconnectSockets(true);
  });
  directory.onUser((user) => {
    for (const namespace of [chat, live])
      for (const socket of socketsIn<AnySocket>(namespace, userRoom(user._id)))
        if (isSessionEnded(user, socket.data.issuedAt)) socket.disconnect(true);
  });
}

/** Timers with a longer delay fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

type TokenExpiry = {
  /** An invalid token changes nothing. */
  refresh(payload: { token: string }): Promise<{ expiresAt: number }>;
  stop(): void;
};

/** A stolen token is of no use after it expires. */
export function createTokenExpiry(verifier: TokenVerifier, socket: AnySocket): TokenExpiry {
  let timer: NodeJS.Timeout | undefined;
  const scheduleDisconnect = () => {
    clearTimeout(timer);
    const remainingMs = Math.max(0, Math.min(socket.data.expiresAt - Date.now(), MAX_TIMER_MS));
    timer = setTimeout(() => socket.disconnect(true), remainingMs).unref();
  };
  scheduleDisconnect();
  return {
    async refresh({ token }) {
      const { issuedAt, expiresAt, ...caller } = await verifier.verify(token);
      const { userId, sessionId } = socket.data.caller;
      if (caller.userId !== userId || caller.sessionId !== sessionId) {
        throw new AppError('unauthorized', 'Unauthorized');
      }
      Object.assign(socket.data, { caller, issuedAt, expiresAt });
      if (socket.connected) scheduleDisconnect();
      return { expiresAt };
    },
    stop: () => clearTimeout(timer),
  };
}
