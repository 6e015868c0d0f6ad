import type { DirectoryUser } from '@atrium/proto-events/people';
import { AUTHENTICATION_ERROR, TOO_MANY_CONNECTIONS } from '@atrium/proto-events/realtime';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Revocations } from '@atrium/service-kit/directory/revocations';
import { AppError } from '@atrium/service-kit/http/app-error';
import type { TokenVerifier } from '@atrium/service-kit/http/authenticate';
import { toAppError } from '@atrium/service-kit/http/http-errors';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { MembershipRooms } from '../realtime/membership/membership-rooms.ts';
import { sessionRoom, userRoom } from '../realtime/rooms.ts';
import type { EventBudgets } from './event-rate-limits.ts';
import type { Handshakes } from './handshake-limiter.ts';
import type { SocketCounts } from './socket-limits.ts';
import { type AnySocket, localSockets, type Sockets } from './socket-server.ts';

export type AdmitDeps = {
  verifier: TokenVerifier;
  directory: Directory;
  revocations: Revocations;
  log: Logger;
  rooms: MembershipRooms;
  budgets: EventBudgets;
  counts: SocketCounts;
  handshakes: Handshakes;
};

type Next = (error?: Error) => void;

/**
 * The handshake: who it is and which conversations are theirs. A bad token is told, so that the client gets another one; when we cannot
 * know, the connection is dropped instead, which every client tries again by itself.
 */
export const authenticateSocket =
  ({ verifier, log, rooms, budgets, counts, handshakes }: AdmitDeps) =>
  (socket: AnySocket, next: Next): void => {
    const end = handshakes.begin(socket.conn);
    if (!end) {
      next(new Error(AUTHENTICATION_ERROR));
      return;
    }
    const admit = async () => {
      const { issuedAt, expiresAt, ...caller } = await verifier.verify(tokenOf(socket.handshake.auth));
      if (!budgets.of(caller.userId).take() || !(await takePlace(socket, counts, caller.userId))) {
        throw new AppError('rate_limited', TOO_MANY_CONNECTIONS);
      }
      socket.data = { caller, issuedAt, expiresAt, ...(await rooms.memberships(caller.userId)) };
    };
    admit().then(
      () => {
        end(true);
        next();
      },
      (error: unknown) => {
        end(false);
        const { code } = toAppError(error);
        if (code === 'rate_limited') return next(new Error(TOO_MANY_CONNECTIONS));
        if (code !== 'unauthorized') {
          log.warn({ err: error, code }, 'a socket could not be admitted now');
          socket.conn.close();
        }
        next(new Error(AUTHENTICATION_ERROR));
      },
    );
  };

/** Counts the socket until it is gone, also when its connection ends before the handshake does. */
async function takePlace(socket: AnySocket, counts: SocketCounts, userId: string): Promise<boolean> {
  const { name } = socket.nsp;
  if (!(await counts.take(name, userId))) return false;
  const closing: Closing = socket;
  let isCounted = true;
  const release = () => {
    if (!isCounted) return;
    isCounted = false;
    socket.conn.off('close', release);
    counts.release(name, userId);
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

/** Puts an admitted socket into its rooms; closes it at once when its session ended during the handshake. */
export function enterRooms(socket: AnySocket, { directory, revocations, rooms, log }: AdmitDeps): void {
  const { caller, issuedAt } = socket.data;
  void socket.join([userRoom(caller.userId), sessionRoom(caller.sessionId)]);
  rooms.enter(socket).catch((error) => {
    // Without its rooms it would hear nothing and not know it: its client comes back.
    log.warn({ err: error }, 'a socket could not enter its rooms');
    socket.conn.close();
  });
  if (revocations.has(caller.sessionId) || isEnded(directory.user(caller.userId), issuedAt)) socket.disconnect(true);
}

function isEnded(user: DirectoryUser | undefined, issuedAt: number): boolean {
  return !user || !isActive(user) || user.sessionsValidAfter > issuedAt;
}

/** Closes the sockets of whoever's session ends; every pod hears of it and looks after its own. */
export function endSockets(sockets: Sockets, { directory, revocations }: AdmitDeps): void {
  revocations.onRevoked((sessionId) => {
    for (const socket of localSockets(sockets)) {
      if (socket.data.caller.sessionId === sessionId) socket.disconnect(true);
    }
  });
  directory.onUser((user) => {
    if (!isSomebodyHere(sockets, user._id)) return;
    for (const socket of localSockets(sockets)) {
      if (socket.data.caller.userId === user._id && isEnded(user, socket.data.issuedAt)) socket.disconnect(true);
    }
  });
}

const isSomebodyHere = ({ chat, live }: Sockets, userId: string) =>
  chat.adapter.rooms.has(userRoom(userId)) || live.adapter.rooms.has(userRoom(userId));
