import type { DirectoryUser } from '@atrium/proto-events/people';
import { AUTHENTICATION_ERROR } from '@atrium/proto-events/realtime';
import type { TokenVerifier } from '@atrium/service-kit/authenticate';
import type { Directory } from '@atrium/service-kit/directory';
import { toAppError } from '@atrium/service-kit/http-errors';
import type { Logger } from '@atrium/service-kit/logger';
import type { Db } from '@atrium/service-kit/postgres';
import type { Revocations } from '@atrium/service-kit/revocations';
import { listMemberships } from '../conversations/participant-repository.ts';
import { ADMINS, conversationRoom, EVERYONE, sessionRoom, userRoom } from './rooms.ts';
import { type AnySocket, localSockets, type Sockets } from './socket-server.ts';

export type AdmitDeps = {
  verifier: TokenVerifier;
  directory: Directory;
  revocations: Revocations;
  db: Db;
  log: Logger;
};

type Next = (error?: Error) => void;

/**
 * The handshake: who it is and which conversations are theirs. A bad token is told, so that the client gets another one; when we cannot
 * know, the connection is dropped instead, which every client tries again by itself.
 */
export const admitSocket =
  ({ verifier, db, log }: AdmitDeps) =>
  (socket: AnySocket, next: Next): void => {
    const admit = async () => {
      const { issuedAt, ...caller } = await verifier.verify(tokenOf(socket.handshake.auth));
      const memberships = await listMemberships(db, [caller.userId]);
      socket.data = { caller, issuedAt, conversations: memberships.get(caller.userId) ?? [] };
    };
    admit().then(
      () => next(),
      (error: unknown) => {
        const { code } = toAppError(error);
        if (code !== 'unauthorized') {
          log.warn({ err: error, code }, 'a socket could not be admitted now');
          socket.conn.close();
        }
        next(new Error(AUTHENTICATION_ERROR));
      },
    );
  };

function tokenOf(auth: Record<string, unknown>): string | undefined {
  return typeof auth.token === 'string' ? auth.token : undefined;
}

/** Puts an admitted socket into its rooms; closes it at once when its session ended during the handshake. */
export function enterRooms(socket: AnySocket, { directory, revocations }: AdmitDeps): void {
  const { caller, issuedAt, conversations } = socket.data;
  void socket.join([
    userRoom(caller.userId),
    sessionRoom(caller.sessionId),
    EVERYONE,
    ...(caller.role === 'admin' ? [ADMINS] : []),
    ...conversations.map(conversationRoom),
  ]);
  socket.data.conversations = [];
  if (revocations.has(caller.sessionId) || isEnded(directory.user(caller.userId), issuedAt)) socket.disconnect(true);
}

function isEnded(user: DirectoryUser | undefined, issuedAt: number): boolean {
  return !user || user.deleted || user.status !== 'active' || user.sessionsValidAfter > issuedAt;
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
