import type { liveClientPayloads, PastChange } from '@atrium/proto-events/realtime';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { z } from 'zod';
import type { LiveSocket } from '../sockets/socket-server.ts';
import type { LiveLog } from './live-log.ts';
import { ALL_TOPICS, isTopicRoom, watchingRooms } from './rooms.ts';

type Watch = z.output<typeof liveClientPayloads.watch>;
type Parts = { liveLog: LiveLog; directory: Directory };

/** Has a fresh socket told of everything that its person may know, until it says what it shows. */
export function beginWatching(socket: LiveSocket, directory: Directory): void {
  moveTo(socket, [ALL_TOPICS], directory);
}

/**
 * Has a socket told of these topics alone: of each what its person may know. Their rights last as long as their sockets, for whoever gets
 * another role is signed out of both.
 */
export function watch(
  socket: LiveSocket,
  { topics, since, sinceMs }: Watch,
  { liveLog, directory }: Parts,
): { position: string; changes: PastChange[] | null } {
  moveTo(socket, topics, directory);
  // What is told from now on is heard; what was told before is in the log.
  const changes = () => {
    if (since !== undefined) return liveLog.since(since, socket.rooms);
    return sinceMs === undefined ? null : liveLog.ofLast(sinceMs, socket.rooms);
  };
  return { position: liveLog.position(), changes: changes() };
}

function moveTo(socket: LiveSocket, topics: readonly string[], directory: Directory): void {
  const { userId, role } = socket.data.caller;
  // A token may be older than a role, or its session newer than what is known here.
  const isAdmin = role === 'admin' && directory.user(userId)?.role === 'admin';
  const wanted = new Set(watchingRooms(topics, { userId, isAdmin }));
  for (const room of socket.rooms) if (isTopicRoom(room) && !wanted.has(room)) void socket.leave(room);
  void socket.join([...wanted]);
}
