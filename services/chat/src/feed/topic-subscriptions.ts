import type { DirectoryUser } from '@atrium/proto-events/people';
import type { liveClientPayloads, ReplayedChange } from '@atrium/proto-events/realtime';
import { assignedDepartmentId } from '@atrium/service-kit/directory/assigned-department';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { z } from 'zod';
import {
  ADMINS,
  ALL_TOPICS,
  conversationRoom,
  departmentRoom,
  isDepartmentRoom,
  isTopicRoom,
  topicRoom,
  userRoom,
} from '../realtime/rooms.ts';
import type { Pace } from '../sockets/refetch-interval.ts';
import type { LiveNamespace, LiveSocket } from '../sockets/socket-server.ts';
import { isRecipient, type Listener } from './audience.ts';
import type { KeptTold, ReplayBuffer } from './replay-buffer.ts';

type Watch = z.output<typeof liveClientPayloads.subscribe>;

/** Has a fresh socket told of everything that its person may know, until it says what it shows. */
export function subscribeToAll(socket: LiveSocket, directory: Directory): void {
  void socket.join(topicRoom(ALL_TOPICS));
  place(socket, directory.user(socket.data.caller.userId));
}

/** A fresh pod reads the last hour in a moment; who asks for longer than this is answered as by one that does not know it. */
const COMPLETE_WITHIN_MS = 5_000;

/** Has a socket told of these topics alone: of each what its person may know. */
export async function watch(
  socket: LiveSocket,
  { topics, afterPosition, maxAgeMs }: Watch,
  { liveLog, pace }: { liveLog: ReplayBuffer; pace: Pick<Pace, 'told'> },
): Promise<{ position: string; changes: ReplayedChange[] | null; minRefetchIntervalMs?: number }> {
  const wanted = new Set(topics.map(topicRoom));
  for (const room of socket.rooms) if (isTopicRoom(room) && !wanted.has(room)) void socket.leave(room);
  void socket.join([...wanted]);
  // Whoever comes back before all is known here, as they all do after a restart, would have to ask for everything.
  await liveLog.whenComplete(COMPLETE_WITHIN_MS);
  // What is told from now on is heard; what was told before is in the log.
  const listener = listenerOf(socket, topics);
  const isForThem = (told: KeptTold) => isRecipient(told, listener);
  const changes = () => {
    if (afterPosition !== undefined) return liveLog.since(afterPosition, isForThem);
    return maxAgeMs === undefined ? null : liveLog.ofLast(maxAgeMs, isForThem);
  };
  return { position: liveLog.position(), changes: changes(), ...pace.told() };
}

function listenerOf({ rooms, data }: LiveSocket, topics: readonly string[]): Listener {
  const shown = new Set(topics);
  return {
    userId: data.caller.userId,
    isAdmin: rooms.has(ADMINS),
    isIn: (departmentId) => rooms.has(departmentRoom(departmentId)),
    shows: (topic) => shown.has(topic),
    takesPartIn: (conversationId) => rooms.has(conversationRoom(conversationId)),
  };
}

/** Has sockets told of what is for administrators and for a department while their people are: the directory is what says so, on every pod. */
export function syncRoleRooms(live: LiveNamespace, directory: Directory): void {
  directory.onUser((user) => {
    for (const id of live.adapter.rooms.get(userRoom(user._id)) ?? []) {
      const socket = live.sockets.get(id);
      if (socket) place(socket, user);
    }
  });
}

function place(socket: LiveSocket, user: DirectoryUser | undefined): void {
  if (user?.role === 'admin') void socket.join(ADMINS);
  else void socket.leave(ADMINS);
  const departmentId = assignedDepartmentId(user);
  const room = departmentId === null ? undefined : departmentRoom(departmentId);
  for (const other of socket.rooms) if (isDepartmentRoom(other) && other !== room) void socket.leave(other);
  if (room !== undefined) void socket.join(room);
}
