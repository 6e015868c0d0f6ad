import type { DirectoryUser } from '@atrium/proto-events/people';
import type { liveClientPayloads, ReplayedChange } from '@atrium/proto-events/realtime';
import { assignedDepartmentId } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { z } from 'zod';
import {
  ADMINS,
  ALL_TOPICS,
  conversationRoom,
  departmentRoom,
  isDepartmentRoom,
  isTopicRoom,
  type LiveNamespace,
  type LiveSocket,
  socketsIn,
  topicRoom,
  userRoom,
} from '../sockets/socket-server.ts';
import { isRecipient, type Recipient } from './recipients.ts';
import type { RefetchInterval } from './refetch-interval.ts';
import type { BufferedUpdate, ReplayBuffer } from './replay-buffer.ts';

type SubscribePayload = z.output<typeof liveClientPayloads.subscribe>;

export function subscribeToAll(socket: LiveSocket, directory: Directory): void {
  void socket.join(topicRoom(ALL_TOPICS));
  updateRoleRooms(socket, directory.user(socket.data.caller.userId));
}

/** If the replay buffer takes longer, the browser has to refetch everything. */
const REPLAY_TIMEOUT_MS = 5_000;

export async function subscribeToTopics(
  socket: LiveSocket,
  { topics, afterPosition, maxAgeMs }: SubscribePayload,
  { replayBuffer, refetchInterval }: { replayBuffer: ReplayBuffer; refetchInterval: Pick<RefetchInterval, 'pacing'> },
): Promise<{ position: string; changes: ReplayedChange[] | null; minRefetchIntervalMs?: number }> {
  const rooms = new Set(topics.map(topicRoom));
  for (const room of socket.rooms) if (isTopicRoom(room) && !rooms.has(room)) void socket.leave(room);
  // Joins before the replay, so that no change falls between the two.
  void socket.join([...rooms]);
  await replayBuffer.whenComplete(REPLAY_TIMEOUT_MS);
  const recipient = toRecipient(socket, topics);
  const isForSocket = (update: BufferedUpdate) => isRecipient(update, recipient);
  const replay = () => {
    if (afterPosition !== undefined) return replayBuffer.changesSince(afterPosition, isForSocket);
    return maxAgeMs === undefined ? null : replayBuffer.changesWithin(maxAgeMs, isForSocket);
  };
  return { position: replayBuffer.position(), changes: replay(), ...refetchInterval.pacing() };
}

function toRecipient({ rooms, data }: LiveSocket, topics: readonly string[]): Recipient {
  const subscribedTopics = new Set(topics);
  return {
    userId: data.caller.userId,
    isAdmin: rooms.has(ADMINS),
    isInDepartment: (departmentId) => rooms.has(departmentRoom(departmentId)),
    isSubscribedTo: (topic) => subscribedTopics.has(topic),
    isParticipantOf: (conversationId) => rooms.has(conversationRoom(conversationId)),
  };
}

export function syncRoleRooms(live: LiveNamespace, directory: Directory): void {
  directory.onUser((user) => {
    for (const socket of socketsIn(live, userRoom(user._id))) updateRoleRooms(socket, user);
  });
}

function updateRoleRooms(socket: LiveSocket, user: DirectoryUser | undefined): void {
  if (user?.role === 'admin') void socket.join(ADMINS);
  else void socket.leave(ADMINS);
  const departmentId = assignedDepartmentId(user);
  const room = departmentId === null ? undefined : departmentRoom(departmentId);
  for (const joinedRoom of socket.rooms)
    if (isDepartmentRoom(joinedRoom) && joinedRoom !== room) void socket.leave(joinedRoom);
  if (room !== undefined) void socket.join(room);
}
