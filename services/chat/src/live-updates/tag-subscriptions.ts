import type { UserSummary } from '@atrium/proto-events/people';
import type { Change, liveClientPayloads } from '@atrium/proto-events/realtime';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { z } from 'zod';
import {
  ADMINS,
  conversationRoom,
  departmentRoom,
  isTagRoom,
  type LiveSocket,
  tagRoom,
} from '../sockets/socket-server.ts';
import type { BufferedUpdate } from './buffered-updates.ts';
import { listPeople } from './list-people.ts';
import { isRecipient, type Recipient } from './recipients.ts';
import type { ReplayBuffer } from './replay-buffer.ts';

type SubscribePayload = z.output<typeof liveClientPayloads.subscribe>;
type Replay = { position: string; changes: Change[] | null; people?: UserSummary[] };

export async function subscribeToTags(
  socket: Pick<LiveSocket, 'rooms' | 'data' | 'join' | 'leave'>,
  { tags, afterPosition, maxAgeMs }: SubscribePayload,
  { replayBuffer, directory }: { replayBuffer: ReplayBuffer; directory: Directory },
): Promise<Replay> {
  const rooms = new Set(tags.map(tagRoom));
  for (const room of socket.rooms) if (isTagRoom(room) && !rooms.has(room)) void socket.leave(room);
  // Joins before the replay, so that no change falls between the two.
  void socket.join([...rooms]);
  // A replay covers only the conversations whose rooms the socket has joined.
  await Promise.all([replayBuffer.whenComplete(), socket.data.entered]);
  const recipient = toRecipient(socket, tags);
  const isForSocket = (update: BufferedUpdate) => isRecipient(update, recipient);
  const replay = () => {
    if (afterPosition !== undefined) return replayBuffer.changesSince(afterPosition, isForSocket);
    return maxAgeMs === undefined ? null : replayBuffer.changesWithin(maxAgeMs, isForSocket);
  };
  const changes = replay();
  const people = listPeople(changes ?? [], directory);
  return { position: replayBuffer.position(), changes, ...(people.length > 0 && { people }) };
}

function toRecipient({ rooms, data }: Pick<LiveSocket, 'rooms' | 'data'>, tags: readonly string[]): Recipient {
  const subscribedTags = new Set(tags);
  return {
    userId: data.caller.userId,
    isAdmin: rooms.has(ADMINS),
    isInDepartment: (departmentId) => rooms.has(departmentRoom(departmentId)),
    isSubscribedTo: (tag) => subscribedTags.has(tag),
    isParticipantOf: (conversationId) => rooms.has(conversationRoom(conversationId)),
  };
}
