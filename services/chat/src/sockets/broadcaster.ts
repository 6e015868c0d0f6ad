import type { Preferences } from '@atrium/proto-events/http/chat/conversations';
import type { Draft } from '@atrium/proto-events/http/chat/drafts';
import type { Poll } from '@atrium/proto-events/http/chat/message-parts';
import type { Message, Thread } from '@atrium/proto-events/http/chat/messages';
import {
  BROADCAST_PARTICIPANTS,
  type Reacted,
  type ReadState,
  type SavedChange,
  type ThreadState,
} from '@atrium/proto-events/realtime';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { withSpan } from '@atrium/service-kit/observability/tracing';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type ConversationRow, findConversation } from '../model/conversations/conversation-repository.ts';
import type { FormerParticipants } from '../model/conversations/former-participants.ts';
import { listParticipantIds, listPersonalRows } from '../model/conversations/participant-repository.ts';
import { presentPersonal, presentShared } from '../model/conversations/present-conversation.ts';
import { afterCommit } from './after-commit.ts';
import type { ConversationRooms } from './conversation-rooms.ts';
import { createEmitInterval } from './emit-interval.ts';
import { type ChatNamespace, conversationRoom, userRoom } from './socket-server.ts';

/** With a thread, the seq and the revision are those of the thread. */
type DeletedMessage = { conversation: string; message: string; seq: number; revision?: number; thread?: string };
type UpdatedMessage = {
  revision: number | undefined;
  reacted?: Reacted;
  /** Receives the poll with their own votes. */
  voter?: { userId: string; poll: Poll };
  thread?: string;
};

type Reply = {
  /** What all users see of the thread. */
  thread: Thread;
  /** Of the conversation. */
  revision: number | undefined;
  followerIds: string[];
  /** The sender's. */
  state: ThreadState;
  exceptSocket?: string | undefined;
};

export type ConversationChange = {
  addedIds: string[];
  removedIds: string[];
  /** Other users whose abilities changed. */
  abilityUserIds: string[] | 'everyone';
  /** Whether the removed user has left. */
  isLeaving?: boolean;
};

type MessageOrigin = {
  /**
   * The conversation's version when the message was sent. Former participants are queried only if it differs from the
   * cached version, because every change of participants increases it.
   */
  conversationVersion: number | null;
  /** The sender's, after the message. */
  unreadCount: number;
  readRevision: number;
  /** This socket receives an acknowledgment instead. */
  exceptSocket?: string | undefined;
};

/**
 * Events may be lost: clients catch up by `seq` or over HTTP. Recently removed users receive only the event of their own
 * removal.
 */
export type Broadcaster = {
  messageSent(message: Message, origin: MessageOrigin): void;
  replySent(message: Message, reply: Reply): void;
  /** For the user's own sockets. */
  preferencesChanged(userId: string, conversation: string, preferences: Preferences): void;
  savedChanged(userId: string, change: SavedChange): void;
  draftChanged(userId: string, draft: Draft): void;
  scheduledChanged(userId: string, scheduled: string): void;
  /** For the user's own sockets. */
  threadChanged(userId: string, state: ThreadState): void;
  messageUpdated(message: Message, change: UpdatedMessage): Promise<void>;
  messageDeleted(deleted: DeletedMessage): Promise<void>;
  messagesRead(userId: string, state: ReadState): Promise<void>;
  /** For the user's own sockets: read receipts stay. */
  messagesUnread(userId: string, state: ReadState): void;
  conversationCreated(id: string): void;
  /** Removed users' sockets on this pod leave the room before it returns. */
  conversationChanged(id: string, change: ConversationChange): void;
  /** For the sockets of these participants. */
  abilitiesChanged(id: string, userIds: string[]): void;
  /** Excludes former participants, whose list was deleted with the conversation. */
  conversationDeleted(id: string, formerParticipants: string[]): void;
};

/** If more sockets are on this pod, typing is not relayed, and read receipts go to the reader's own devices only. */
export const LARGE_ROOM_SIZE = 200;
/**
 * A conversation that is new for more users, or that changes what more participants can do, is announced on `/live` only:
 * their clients request it, at different times.
 */
const MAX_PERSONAL_COPIES = 200;
/** Unnoticeable to people, and several messages in a conversation that is busy for a pod. */
const EMIT_INTERVAL_MS = 40;
/** If more users are added and removed at once, each receives only their own event. */
export const MAX_NAMED_CHANGES = 20;

type Deps = {
  chat: ChatNamespace;
  rooms: ConversationRooms;
  formerParticipants: FormerParticipants;
  db: Db;
  directory: Directory;
  log: Logger;
};

export function createBroadcaster(deps: Deps): Broadcaster {
  const { chat, rooms, formerParticipants } = deps;
  const nextTurn = createEmitInterval(EMIT_INTERVAL_MS);
  const selectParticipants = async (id: string) => selectRoomExcept(chat, id, await formerParticipants.list(id));
  const runInBackground = (broadcast: () => Promise<void>) => void afterCommit(deps, broadcast);
  return {
    messageSent(message, origin) {
      const span = { name: 'deliver message:new', kind: 'producer' } as const;
      runInBackground(() => withSpan(span, () => broadcastMessage(deps, nextTurn, message, origin)));
    },
    replySent(message, { thread, revision, followerIds, state, exceptSocket }) {
      const send = async () => {
        await nextTurn();
        const formerRooms = (await formerParticipants.list(message.conversation)).map(userRoom);
        const participants = chat.to(conversationRoom(message.conversation)).except(formerRooms);
        const receivers = exceptSocket === undefined ? participants : participants.except(exceptSocket);
        receivers.emit('thread:message', { message, thread, ...(revision && { revision }) });
        const { conversation, root, lastSeq } = state;
        // An empty list of rooms would select every socket.
        if (followerIds.length > 0)
          chat.to(followerIds.map(userRoom)).except(formerRooms).emit('thread:reply', { conversation, root, lastSeq });
        chat.to(userRoom(message.sender._id)).emit('thread:read', state);
      };
      runInBackground(send);
    },
    savedChanged(userId, change) {
      chat.to(userRoom(userId)).emit('message:saved', change);
    },
    draftChanged(userId, draft) {
      chat.to(userRoom(userId)).emit('draft:changed', draft);
    },
    scheduledChanged(userId, scheduled) {
      chat.to(userRoom(userId)).emit('scheduled:changed', { scheduled });
    },
    preferencesChanged(userId, conversation, preferences) {
      chat.to(userRoom(userId)).emit('conversation:preferences', { conversation, preferences });
    },
    threadChanged(userId, state) {
      chat.to(userRoom(userId)).emit('thread:read', state);
    },
    async messageUpdated(message, { revision, voter, ...change }) {
      await nextTurn();
      const formerRooms = (await formerParticipants.list(message.conversation)).map(userRoom);
      const ownRooms = voter ? [userRoom(voter.userId)] : [];
      const payload = { message, ...(revision && { revision }), ...change };
      chat
        .to(conversationRoom(message.conversation))
        .except([...formerRooms, ...ownRooms])
        .emit('message:updated', payload);
      if (!voter) return;
      const own = { ...payload, message: { ...message, poll: voter.poll } };
      chat.to(ownRooms).except(formerRooms).emit('message:updated', own);
    },
    async messageDeleted(deleted) {
      await nextTurn();
      (await selectParticipants(deleted.conversation)).emit('message:deleted', deleted);
    },
    async messagesRead(user, state) {
      const { conversation, lastReadSeq: seq } = state;
      chat.to(userRoom(user)).emit('conversation:state', state);
      await nextTurn();
      const isLarge = (chat.adapter.rooms.get(conversationRoom(conversation))?.size ?? 0) > LARGE_ROOM_SIZE;
      const recipients = isLarge ? chat.to(userRoom(user)) : await selectParticipants(conversation);
      recipients.emit('message:read', { conversation, user, seq });
    },
    messagesUnread(user, state) {
      chat.to(userRoom(user)).emit('conversation:state', state);
    },
    conversationCreated: (id) => runInBackground(() => broadcastCreated(deps, id)),
    conversationChanged(id, change) {
      // Moves sockets before the broadcast, so that removed users do not receive it.
      const { addedIds, removedIds } = change;
      const roomsUpdated = rooms.broadcast({ conversationId: id, addedIds, removedIds });
      runInBackground(() => roomsUpdated.then(() => broadcastChanged(deps, id, change)));
    },
    abilitiesChanged: (id, userIds) => runInBackground(() => broadcastAbilities(deps, id, userIds)),
    conversationDeleted(id, excludedIds) {
      selectRoomExcept(chat, id, excludedIds).emit('conversation:deleted', { conversation: id });
      rooms.clear(id);
    },
  };
}

/** One packet for the room, and a second one for a sender who has not read everything, or has marked messages as unread. */
async function broadcastMessage(
  { chat, formerParticipants }: Deps,
  nextTurn: () => Promise<void>,
  message: Message,
  { conversationVersion, unreadCount, readRevision, exceptSocket }: MessageOrigin,
): Promise<void> {
  // First, so that users who are removed meanwhile are excluded.
  await nextTurn();
  const formerRooms = (await formerParticipants.list(message.conversation, conversationVersion)).map(userRoom);
  const excluded = exceptSocket === undefined ? formerRooms : [...formerRooms, exceptSocket];
  const participants = chat.to(conversationRoom(message.conversation)).except(excluded);
  if (unreadCount === 0 && readRevision === 0) return void participants.emit('message:new', { message });
  const senderRoom = userRoom(message.sender._id);
  participants.except(senderRoom).emit('message:new', { message });
  chat.to(senderRoom).except(excluded).emit('message:new', { message, unreadCount, readRevision });
}

const selectRoomExcept = (chat: ChatNamespace, conversationId: string, userIds: string[]) =>
  chat.to(conversationRoom(conversationId)).except(userIds.map(userRoom));

async function broadcastCreated(deps: Deps, id: string): Promise<void> {
  const row = await findConversation(deps.db, id, null, BROADCAST_PARTICIPANTS);
  if (!row) return;
  const participantIds = await listParticipantIds(deps.db, id);
  await deps.rooms.broadcast({ conversationId: id, addedIds: participantIds, removedIds: [] });
  await broadcastNew(deps, row, participantIds);
}

async function broadcastChanged(
  deps: Deps,
  id: string,
  { addedIds, removedIds, abilityUserIds, isLeaving = false }: ConversationChange,
): Promise<void> {
  const { chat, directory, formerParticipants } = deps;
  const row = await findConversation(deps.db, id, null, BROADCAST_PARTICIPANTS);
  if (!row) return;
  await broadcastNew(deps, row, addedIds);
  const participants = selectRoomExcept(chat, id, await formerParticipants.list(id));
  const isNamed = addedIds.length + removedIds.length <= MAX_NAMED_CHANGES;
  for (const addedUserId of isNamed ? addedIds : []) {
    const payload = { conversation: id, addedUserId, user: directory.summary(addedUserId) };
    participants.except(addedIds.map(userRoom)).emit('conversation:participant_added', payload);
  }
  for (const removedUserId of removedIds) {
    const user = directory.summary(removedUserId);
    const payload = { conversation: id, removedUserId, user, ...(isLeaving && { left: true as const }) };
    if (isNamed) participants.emit('conversation:participant_removed', payload);
    chat.to(userRoom(removedUserId)).emit('conversation:participant_removed', payload);
  }
  if (abilityUserIds === 'everyone' && row.participant_count > MAX_PERSONAL_COPIES) return;
  const conversation = presentShared(directory, row);
  const personalIds = abilityUserIds === 'everyone' ? await listOnline(chat, id) : abilityUserIds;
  participants.except([...addedIds, ...personalIds].map(userRoom)).emit('conversation:updated', { conversation });
  await broadcastPersonal(deps, row, personalIds);
}

async function broadcastAbilities(deps: Deps, id: string, userIds: string[]): Promise<void> {
  const row = await findConversation(deps.db, id, null, BROADCAST_PARTICIPANTS);
  if (row) await broadcastPersonal(deps, row, userIds);
}

async function broadcastPersonal(deps: Deps, row: ConversationRow, userIds: string[]): Promise<void> {
  const conversation = presentShared(deps.directory, row);
  for (const { userId, personal } of await listPersonal(deps, row, userIds))
    deps.chat.to(userRoom(userId)).emit('conversation:updated', { conversation, personal });
}

/** On all pods. */
async function listOnline(chat: ChatNamespace, conversationId: string): Promise<string[]> {
  const sockets = await chat.in(conversationRoom(conversationId)).fetchSockets();
  return [...new Set(sockets.map(({ data }) => data.caller.userId))];
}

/** All users who were just added share one packet. */
async function broadcastNew(deps: Deps, row: ConversationRow, userIds: string[]): Promise<void> {
  if (userIds.length === 0 || userIds.length > MAX_PERSONAL_COPIES) return;
  const conversation = presentShared(deps.directory, row);
  const personalFields = await listPersonal(deps, row, userIds);
  for (const [first, ...others] of Map.groupBy(personalFields, ({ personal }) => JSON.stringify(personal)).values()) {
    if (!first) continue;
    const rooms = [first, ...others].map(({ userId }) => userRoom(userId));
    deps.chat.to(rooms).emit('conversation:new', { conversation: { ...conversation, ...first.personal } });
  }
}

async function listPersonal({ db, directory }: Deps, row: ConversationRow, userIds: string[]) {
  if (userIds.length === 0) return [];
  const personalRows = await listPersonalRows(db, row.conversation_id, userIds);
  return personalRows.map(({ user_id: userId, ...personalRow }) => {
    const viewer = { userId, role: directory.user(userId)?.role ?? 'member' };
    return { userId, personal: presentPersonal(viewer, { ...row, ...personalRow }) };
  });
}
