import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Logger } from '@atrium/service-kit/observe/logger';
import { inSpan } from '@atrium/service-kit/observe/tracing';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type ConversationRow, findConversation } from '../conversations/conversation-repository.ts';
import { listStandings } from '../conversations/participant-repository.ts';
import { presentConversation } from '../conversations/present-conversation.ts';
import type { ChatNamespace } from '../sockets/socket-server.ts';
import type { Departures } from './departures.ts';
import type { MembershipRooms } from './membership/membership-rooms.ts';
import { conversationRoom, userRoom } from './rooms.ts';
import { createSeqOrder, type SeqOrder } from './seq-order.ts';

type Read = { conversation: string; user: string; seq: number };

/** Tells sockets what has just been committed. Hints only: who misses one asks again, by `seq` or over HTTP. */
export type Announce = {
  /**
   * After something was committed in a conversation, before it is told: answers who has left and hears nothing of it, wherever their sockets
   * still are. `version` as the commit found it, where it held the conversation.
   */
  ready(conversationId: string, version?: number | null): Promise<string[]>;
  /** Through which messages are sent, so that they are told in order. */
  order: SeqOrder;
  /** To all participants' sockets but the one it came by. */
  messageSent(message: Message, left: string[], exceptSocket?: string): void;
  messageEdited(message: Message, about: { left: string[]; revision: number | undefined }): void;
  messageDeleted(gone: { conversation: string; message: string; seq: number; revision?: number }, left: string[]): void;
  messagesRead(read: Read, left: string[]): void;
  conversationMade(id: string): void;
  /** Resolves once nobody who was removed hears any more, on whichever pod. */
  conversationChanged(id: string, people: { added: string[]; removed: string[] }): Promise<void>;
  conversationGone(id: string, left: string[]): void;
};

/** In a room of more sockets on this pod, what is a delivery to everyone for each one's keystroke or glance goes no further. */
export const CROWD = 200;
/** To more people a conversation that is new or changed is told on `/live` alone: each would get a copy of their own, with everybody in it. */
const MOST_COPIES = 200;
/** Where more people come and go at once, each hears of themselves alone: everybody else would be told of each of them, one by one. */
export const MOST_NAMED = 20;

type Parts = {
  chat: ChatNamespace;
  rooms: MembershipRooms;
  departures: Departures;
  db: Db;
  directory: Directory;
  log: Logger;
};

export function createAnnounce(parts: Parts): Announce {
  const { chat, rooms, departures, log } = parts;
  const within = (id: string, left: string[]) => chat.to(conversationRoom(id)).except(left.map(userRoom));
  const later = (work: Promise<void>) => {
    work.catch((error) => log.warn({ err: error }, 'sockets could not be told of a change'));
  };
  return {
    async ready(conversationId, version) {
      await rooms.verify(conversationId);
      return departures.of(conversationId, version);
    },
    order: createSeqOrder(),
    messageSent: (message, left, exceptSocket) => {
      const audience = within(message.conversation, left).except(exceptSocket ?? []);
      inSpan({ name: 'deliver message:new', kind: 'producer' }, () => audience.emit('message:new', { message }));
    },
    messageEdited: (message, { left, revision }) =>
      void within(message.conversation, left).emit('message:updated', { message, ...(revision && { revision }) }),
    messageDeleted: (gone, left) => void within(gone.conversation, left).emit('message:deleted', gone),
    messagesRead(read, left) {
      const crowded = (chat.adapter.rooms.get(conversationRoom(read.conversation))?.size ?? 0) > CROWD;
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
  await tellCopies(parts, row, { event: 'conversation:new', to: row.participant_ids });
}

async function tellChanged(
  parts: Parts,
  id: string,
  { added, removed }: { added: string[]; removed: string[] },
): Promise<void> {
  const { chat, directory, departures } = parts;
  const row = await findConversation(parts.db, id, null);
  if (!row) return;
  await tellCopies(parts, row, { event: 'conversation:new', to: added });
  const here = chat.to(conversationRoom(id)).except((await departures.of(id)).map(userRoom));
  const isNamed = added.length + removed.length <= MOST_NAMED;
  for (const addedUserId of isNamed ? added : []) {
    const payload = { conversation: id, addedUserId, user: directory.summary(addedUserId) };
    here.except(added.map(userRoom)).emit('conversation:participant_added', payload);
  }
  for (const removedUserId of removed) {
    const payload = { conversation: id, removedUserId, user: directory.summary(removedUserId) };
    if (isNamed) here.emit('conversation:participant_removed', payload);
    chat.to(userRoom(removedUserId)).emit('conversation:participant_removed', payload);
  }
  const others = row.participant_ids.filter((participant) => !added.includes(participant));
  await tellCopies(parts, row, { event: 'conversation:updated', to: others });
}

/** A conversation looks different to each of its people: their abilities, their unread count. */
async function tellCopies(
  { chat, db, directory }: Parts,
  row: ConversationRow,
  { event, to }: { event: 'conversation:new' | 'conversation:updated'; to: string[] },
): Promise<void> {
  if (to.length === 0 || to.length > MOST_COPIES) return;
  const standings = new Map(
    (await listStandings(db, row.conversation_id)).map((standing) => [standing.user_id, standing]),
  );
  for (const userId of to) {
    const standing = standings.get(userId);
    const viewer = { userId, role: directory.user(userId)?.role ?? 'member' };
    if (!standing) continue;
    chat.to(userRoom(userId)).emit(event, {
      conversation: presentConversation(directory, viewer, { ...row, ...standing }),
    });
  }
}
