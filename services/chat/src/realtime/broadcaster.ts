import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { withSpan } from '@atrium/service-kit/observability/tracing';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import type { Changed } from '../conversations/conversation-changes.ts';
import { type ConversationRow, findConversation } from '../conversations/conversation-repository.ts';
import { listReadStates } from '../conversations/participant-repository.ts';
import { presentPersonal, presentShared } from '../conversations/present-conversation.ts';
import type { ChatNamespace } from '../sockets/socket-server.ts';
import type { FormerParticipants } from './former-participants.ts';
import type { MembershipRooms } from './membership/membership-rooms.ts';
import { conversationRoom, userRoom } from './rooms.ts';

type ReadReceipt = { conversation: string; user: string; seq: number };

/** Sends committed changes to sockets, as hints only: clients that miss one catch up by `seq` or over HTTP. */
export type Broadcaster = {
  /**
   * Recently removed users, whose sockets may still be in the conversation's room. Call it after the commit and before the broadcast.
   * `version`: the conversation's version in the transaction, if it locked the conversation; saves a query.
   */
  listFormerParticipants(conversationId: string, version?: number | null): Promise<string[]>;
  /** In the background, to all participants' sockets except the sending one; clients order messages by `seq`. */
  messageSent(message: Message, origin: { version: number | null; exceptSocket?: string | undefined }): void;
  messageEdited(message: Message, about: { excluded: string[]; revision: number | undefined }): void;
  messageDeleted(
    deleted: { conversation: string; message: string; seq: number; revision?: number },
    excluded: string[],
  ): void;
  messagesRead(read: ReadReceipt, excluded: string[]): void;
  conversationCreated(id: string): void;
  /** Resolves once removed users receive nothing more, on any pod. */
  conversationChanged(id: string, change: Changed): Promise<void>;
  conversationDeleted(id: string, excluded: string[]): void;
};

/** With more sockets on this pod, typing is not relayed, and read receipts go to the reader's own devices only. */
export const LARGE_ROOM_SIZE = 200;
/** A conversation that is new for more users is announced on `/live` only. */
const MAX_PERSONAL_COPIES = 200;
/** If more users are added and removed at once, each receives only their own event. */
export const MAX_NAMED_CHANGES = 20;

type Deps = {
  chat: ChatNamespace;
  rooms: MembershipRooms;
  formerParticipants: FormerParticipants;
  db: Db;
  directory: Directory;
  log: Logger;
};

export function createBroadcaster(deps: Deps): Broadcaster {
  const { chat, rooms, formerParticipants, log } = deps;
  const toParticipants = (id: string, excluded: string[]) =>
    chat.to(conversationRoom(id)).except(excluded.map(userRoom));
  const runInBackground = (work: Promise<void>) => {
    work.catch((error) => log.warn({ err: error }, 'Failed to broadcast a change'));
  };
  return {
    listFormerParticipants: (conversationId, version) => formerParticipants.list(conversationId, version),
    messageSent(message, { version, exceptSocket }) {
      const deliver = async () => {
        const excluded = await formerParticipants.list(message.conversation, version);
        toParticipants(message.conversation, excluded)
          .except(exceptSocket ?? [])
          .emit('message:new', { message });
      };
      runInBackground(withSpan({ name: 'deliver message:new', kind: 'producer' }, deliver));
    },
    messageEdited: (message, { excluded, revision }) =>
      void toParticipants(message.conversation, excluded).emit('message:updated', {
        message,
        ...(revision && { revision }),
      }),
    messageDeleted: (deleted, excluded) =>
      void toParticipants(deleted.conversation, excluded).emit('message:deleted', deleted),
    messagesRead(read, excluded) {
      const isLarge = (chat.adapter.rooms.get(conversationRoom(read.conversation))?.size ?? 0) > LARGE_ROOM_SIZE;
      const audience = isLarge ? chat.to(userRoom(read.user)) : toParticipants(read.conversation, excluded);
      audience.emit('message:read', read);
    },
    conversationCreated: (id) => runInBackground(broadcastCreated(deps, id)),
    async conversationChanged(id, change) {
      // Before the broadcast, so that removed users do not receive it.
      const affected = [...change.added, ...change.removed];
      if (affected.length > 0) await rooms.sync(id, affected, { isLeaving: change.removed.length > 0 });
      runInBackground(broadcastChanged(deps, id, change));
    },
    conversationDeleted(id, excluded) {
      toParticipants(id, excluded).emit('conversation:deleted', { conversation: id });
      rooms.clear(id);
    },
  };
}

async function broadcastCreated(deps: Deps, id: string): Promise<void> {
  const row = await findConversation(deps.db, id, null);
  if (!row) return;
  await deps.rooms.sync(id, row.participant_ids, { isLeaving: false });
  await broadcastNew(deps, row, row.participant_ids);
}

async function broadcastChanged(deps: Deps, id: string, { added, removed, abilitiesOf }: Changed): Promise<void> {
  const { chat, directory, formerParticipants } = deps;
  const row = await findConversation(deps.db, id, null);
  if (!row) return;
  await broadcastNew(deps, row, added);
  const participants = chat.to(conversationRoom(id)).except((await formerParticipants.list(id)).map(userRoom));
  const isNamed = added.length + removed.length <= MAX_NAMED_CHANGES;
  for (const addedUserId of isNamed ? added : []) {
    const payload = { conversation: id, addedUserId, user: directory.summary(addedUserId) };
    participants.except(added.map(userRoom)).emit('conversation:participant_added', payload);
  }
  for (const removedUserId of removed) {
    const payload = { conversation: id, removedUserId, user: directory.summary(removedUserId) };
    if (isNamed) participants.emit('conversation:participant_removed', payload);
    chat.to(userRoom(removedUserId)).emit('conversation:participant_removed', payload);
  }
  const conversation = presentShared(directory, row);
  participants.except([...added, ...abilitiesOf].map(userRoom)).emit('conversation:updated', { conversation });
  for (const { userId, personal } of await listPersonal(deps, row, abilitiesOf)) {
    chat.to(userRoom(userId)).emit('conversation:updated', { conversation, personal });
  }
}

/** One packet per distinct set of abilities and read state, so that all users who were just added share one. */
async function broadcastNew(deps: Deps, row: ConversationRow, userIds: string[]): Promise<void> {
  if (userIds.length === 0 || userIds.length > MAX_PERSONAL_COPIES) return;
  const conversation = presentShared(deps.directory, row);
  const listed = await listPersonal(deps, row, userIds);
  for (const [first, ...others] of Map.groupBy(listed, ({ personal }) => JSON.stringify(personal)).values()) {
    if (!first) continue;
    const rooms = [first, ...others].map(({ userId }) => userRoom(userId));
    deps.chat.to(rooms).emit('conversation:new', { conversation: { ...conversation, ...first.personal } });
  }
}

async function listPersonal({ db, directory }: Deps, row: ConversationRow, userIds: string[]) {
  if (userIds.length === 0) return [];
  const readStates = await listReadStates(db, row.conversation_id, userIds);
  return readStates.map((readState) => {
    const viewer = { userId: readState.user_id, role: directory.user(readState.user_id)?.role ?? 'member' };
    return { userId: readState.user_id, personal: presentPersonal(viewer, { ...row, ...readState }) };
  });
}
