import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { inSpan } from '@atrium/service-kit/observability/tracing';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import type { Changed } from '../conversations/conversation-changes.ts';
import { type ConversationRow, findConversation } from '../conversations/conversation-repository.ts';
import { listStandings } from '../conversations/participant-repository.ts';
import { presentPersonal, presentShared } from '../conversations/present-conversation.ts';
import type { ChatNamespace } from '../sockets/socket-server.ts';
import type { FormerParticipants } from './former-participants.ts';
import type { MembershipRooms } from './membership/membership-rooms.ts';
import { conversationRoom, userRoom } from './rooms.ts';

type Read = { conversation: string; user: string; seq: number };

/** Tells sockets what has just been committed. Hints only: who misses one asks again, by `seq` or over HTTP. */
export type Broadcaster = {
  /**
   * After something was committed in a conversation, before it is told: answers who has left and hears nothing of it, wherever their sockets
   * still are. `version` as the commit found it, where it held the conversation.
   */
  ready(conversationId: string, version?: number | null): Promise<string[]>;
  /** To all participants' sockets but the one it came by, in the background; browsers order messages by `seq`. `version` as for `ready`. */
  messageSent(message: Message, origin: { version: number | null; exceptSocket?: string | undefined }): void;
  messageEdited(message: Message, about: { left: string[]; revision: number | undefined }): void;
  messageDeleted(gone: { conversation: string; message: string; seq: number; revision?: number }, left: string[]): void;
  messagesRead(read: Read, left: string[]): void;
  conversationMade(id: string): void;
  /** Resolves once nobody who was removed hears any more, on whichever pod. */
  conversationChanged(id: string, change: Changed): Promise<void>;
  conversationGone(id: string, left: string[]): void;
};

/** In a room of more sockets on this pod, what is a delivery to everyone for each one's keystroke or glance goes no further. */
export const LARGE_ROOM_SIZE = 200;
/** Above it, a new conversation is announced on `/live` alone. */
const MAX_PERSONAL_COPIES = 200;
/** Where more people come and go at once, each hears of themselves alone: everybody else would be told of each of them, one by one. */
export const MAX_NAMED_CHANGES = 20;

type Parts = {
  chat: ChatNamespace;
  rooms: MembershipRooms;
  departures: FormerParticipants;
  db: Db;
  directory: Directory;
  log: Logger;
};

export function createBroadcaster(parts: Parts): Broadcaster {
  const { chat, rooms, departures, log } = parts;
  const within = (id: string, left: string[]) => chat.to(conversationRoom(id)).except(left.map(userRoom));
  const later = (work: Promise<void>) => {
    work.catch((error) => log.warn({ err: error }, 'sockets could not be told of a change'));
  };
  return {
    ready: (conversationId, version) => departures.of(conversationId, version),
    messageSent(message, { version, exceptSocket }) {
      const deliver = async () => {
        const left = await departures.of(message.conversation, version);
        within(message.conversation, left)
          .except(exceptSocket ?? [])
          .emit('message:new', { message });
      };
      later(inSpan({ name: 'deliver message:new', kind: 'producer' }, deliver));
    },
    messageEdited: (message, { left, revision }) =>
      void within(message.conversation, left).emit('message:updated', { message, ...(revision && { revision }) }),
    messageDeleted: (gone, left) => void within(gone.conversation, left).emit('message:deleted', gone),
    messagesRead(read, left) {
      const crowded = (chat.adapter.rooms.get(conversationRoom(read.conversation))?.size ?? 0) > LARGE_ROOM_SIZE;
      const audience = crowded ? chat.to(userRoom(read.user)) : within(read.conversation, left);
      audience.emit('message:read', read);
    },
    conversationMade: (id) => later(tellMade(parts, id)),
    async conversationChanged(id, people) {
      // First of all, so that nothing more reaches those who are out.
      const concerned = [...people.added, ...people.removed];
      if (concerned.length > 0) await rooms.follow(id, concerned, { isLeaving: people.removed.length > 0 });
      later(tellChanged(parts, id, people));
    },
    conversationGone(id, left) {
      within(id, left).emit('conversation:deleted', { conversation: id });
      rooms.clear(id);
    },
  };
}

async function tellMade(parts: Parts, id: string): Promise<void> {
  const row = await findConversation(parts.db, id, null);
  if (!row) return;
  await parts.rooms.follow(id, row.participant_ids, { isLeaving: false });
  await announceNew(parts, row, row.participant_ids);
}

async function tellChanged(parts: Parts, id: string, { added, removed, abilitiesOf }: Changed): Promise<void> {
  const { chat, directory, departures } = parts;
  const row = await findConversation(parts.db, id, null);
  if (!row) return;
  await announceNew(parts, row, added);
  const here = chat.to(conversationRoom(id)).except((await departures.of(id)).map(userRoom));
  const isNamed = added.length + removed.length <= MAX_NAMED_CHANGES;
  for (const addedUserId of isNamed ? added : []) {
    const payload = { conversation: id, addedUserId, user: directory.summary(addedUserId) };
    here.except(added.map(userRoom)).emit('conversation:participant_added', payload);
  }
  for (const removedUserId of removed) {
    const payload = { conversation: id, removedUserId, user: directory.summary(removedUserId) };
    if (isNamed) here.emit('conversation:participant_removed', payload);
    chat.to(userRoom(removedUserId)).emit('conversation:participant_removed', payload);
  }
  const conversation = presentShared(directory, row);
  here.except([...added, ...abilitiesOf].map(userRoom)).emit('conversation:updated', { conversation });
  for (const { userId, personal } of await listPersonal(parts, row, abilitiesOf)) {
    chat.to(userRoom(userId)).emit('conversation:updated', { conversation, personal });
  }
}

/** Sent once for each distinct set of abilities and read state, so that everyone who was just added shares a copy. */
async function announceNew(parts: Parts, row: ConversationRow, userIds: string[]): Promise<void> {
  if (userIds.length === 0 || userIds.length > MAX_PERSONAL_COPIES) return;
  const conversation = presentShared(parts.directory, row);
  const listed = await listPersonal(parts, row, userIds);
  for (const [first, ...others] of Map.groupBy(listed, ({ personal }) => JSON.stringify(personal)).values()) {
    if (!first) continue;
    const rooms = [first, ...others].map(({ userId }) => userRoom(userId));
    parts.chat.to(rooms).emit('conversation:new', { conversation: { ...conversation, ...first.personal } });
  }
}

/** Of those of these users who take part. */
async function listPersonal({ db, directory }: Parts, row: ConversationRow, userIds: string[]) {
  if (userIds.length === 0) return [];
  const standings = await listStandings(db, row.conversation_id, userIds);
  return standings.map((standing) => {
    const viewer = { userId: standing.user_id, role: directory.user(standing.user_id)?.role ?? 'member' };
    return { userId: standing.user_id, personal: presentPersonal(viewer, { ...row, ...standing }) };
  });
}
