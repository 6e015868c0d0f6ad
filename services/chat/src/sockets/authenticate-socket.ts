import type { DirectoryUser } from '@atrium/proto-events/people';
import { AUTHENTICATION_ERROR, TOO_MANY_CONNECTIONS } from '@atrium/proto-events/realtime';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Revocations } from '@atrium/service-kit/directory/revocations';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { TokenVerifier } from '@atrium/service-kit/http/authenticate';
import { toAppError } from '@atrium/service-kit/http/http-errors';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { MembershipRooms } from '../realtime/membership/membership-rooms.ts';
import { sessionRoom, userRoom } from '../realtime/rooms.ts';
import type { EventRateLimits } from './event-rate-limits.ts';
import type { HandshakeLimiter } from './handshake-limiter.ts';
import type { SocketLimits } from './socket-limits.ts';
import { type AnySocket, localSockets, type Sockets } from './socket-server.ts';

export type AuthenticationDeps = {
  verifier: TokenVerifier;
  directory: Directory;
  revocations: Revocations;
  log: Logger;
  rooms: MembershipRooms;
  rateLimits: EventRateLimits;
  socketLimits: SocketLimits;
  handshakes: HandshakeLimiter;
};

type Next = (error?: Error) => void;

/**
 * Authenticates the handshake and reads the user's conversations. An invalid token is rejected with an error, so that the client gets a
 * new one. If the token cannot be verified now, the connection is dropped instead, and the client reconnects automatically.
 */
export const authenticateSocket =
  ({ verifier, log, rooms, rateLimits, socketLimits, handshakes }: AuthenticationDeps) =>
  (socket: AnySocket, next: Next): void => {
    const end = handshakes.begin(socket.conn);
    if (!end) {
      next(new Error(AUTHENTICATION_ERROR));
      return;
    }
    const authenticate = async () => {
      const { issuedAt, expiresAt, ...caller } = await verifier.verify(tokenOf(socket.handshake.auth));
      if (!rateLimits.of(caller.userId).take() || !(await reserveSlot(socket, socketLimits, caller.userId))) {
        throw new AppError('rate_limited', TOO_MANY_CONNECTIONS);
      }
      socket.data = { caller, issuedAt, expiresAt, ...(await rooms.readMemberships(caller.userId)) };
    };
    authenticate().then(
      () => {
        end(true);
        next();
      },
      (error: unknown) => {
        end(false);
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

/** Released when the socket disconnects, or when its connection closes during the handshake. */
async function reserveSlot(socket: AnySocket, socketLimits: SocketLimits, userId: string): Promise<boolean> {
  const { name } = socket.nsp;
  if (!(await socketLimits.take(name, userId))) return false;
  const closing: Closing = socket;
  let isReserved = true;
  const release = () => {
    if (!isReserved) return;
    isReserved = false;
    socket.conn.off('close', release);
    socketLimits.release(name, userId);
  };
  closing.once('disconnect', release);
  if (socket.conn.readyState === 'open') socket.conn.once('close', release);
  else release();
  return true;
}

type Closing = { once(event: 'disconnect', listener: () => void): unknown };

function tokenOf(auth: Record<string, unknown>): string | undefined {
  return typeof auth.token === 'string' ? auth.token : undefined;
}

/** Closes the socket if its session ended during the handshake. */
export function joinRooms(socket: AnySocket, { directory, revocations, rooms, log }: AuthenticationDeps): void {
  const { caller, issuedAt } = socket.data;
  void socket.join([userRoom(caller.userId), sessionRoom(caller.sessionId)]);
  rooms.enter(socket).catch((error) => {
    // Otherwise the socket would silently receive nothing; its client reconnects.
    log.warn({ err: error }, 'Failed to join rooms');
    socket.conn.close();
  });
  if (revocations.has(caller.sessionId) || hasEnded(directory.user(caller.userId), issuedAt)) socket.disconnect(true);
}

function hasEnded(user: DirectoryUser | undefined, issuedAt: number): boolean {
  return !user || !isActive(user) || user.sessionsValidAfter > issuedAt;
}

/** Closes this pod's sockets of ended sessions and of users who can no longer sign in. */
export function disconnectEndedSessions(sockets: Sockets, { directory, revocations }: AuthenticationDeps): void {
  revocations.onRevoked((sessionId) => {
    for (const socket of localSockets(sockets)) {
      if (socket.data.caller.sessionId === sessionId) socket.disconnect(true);
    }
  });
  directory.onUser((user) => {
    if (!isConnectedHere(sockets, user._id)) return;
    for (const socket of localSockets(sockets)) {
      if (socket.data.caller.userId === user._id && hasEnded(user, socket.data.issuedAt)) socket.disconnect(true);
    }
  });
}

const isConnectedHere = ({ chat, live }: Sockets, userId: string) =>
  chat.adapter.rooms.has(userRoom(userId)) || live.adapter.rooms.has(userRoom(userId));
