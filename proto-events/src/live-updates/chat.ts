import { subjectOf } from '../event.ts';
import * as chat from '../events/chat.ts';
import { type Action, type Audience, type ExemptEvents, type FanoutRow, type LiveUpdate, row } from './live-update.ts';

type ConversationEventData = { conversationId: string; version: number; changed?: string[] };

const conversation =
  <Data extends ConversationEventData>(action: Action, toAudience: (data: Data) => Audience) =>
  (data: Data): LiveUpdate => ({
    audience: toAudience(data),
    change: {
      resource: 'conversation',
      id: data.conversationId,
      action,
      version: data.version,
      tags: ['conversations'],
      ...(data.changed && { changed: data.changed }),
    },
  });

type ParticipantsEventData = ConversationEventData & { participantIds: string[] };

/** Selects them by user id, because their sockets have not joined the conversation's room yet, or have left it. */
const toParticipants = ({ participantIds: users }: ParticipantsEventData): Audience => ({ users });

type ParticipantsChangedData = ConversationEventData & { addedIds: string[]; removedIds: string[]; changed: string[] };

/** Sent to users who were added or removed; their browsers also refetch unread counts. */
const OWN_PARTICIPATION = 'participants';
const OTHER_PARTICIPANTS = 'otherParticipants';

const updatedForParticipants = (data: ParticipantsChangedData): LiveUpdate =>
  conversation<ParticipantsChangedData>('updated', ({ conversationId }) => ({
    conversation: conversationId,
    users: [],
  }))({
    ...data,
    changed: data.changed.map((field) => (field === OWN_PARTICIPATION ? OTHER_PARTICIPANTS : field)),
  });

const updatedForAffectedUsers = (data: ParticipantsChangedData): readonly LiveUpdate[] => {
  const users = [...data.addedIds, ...data.removedIds];
  return users.length === 0 ? [] : [conversation('updated', () => ({ users }))(data)];
};

type ChannelEventData = {
  conversationId: string;
  version: number;
  visibility?: string | undefined;
  changed?: string[];
};

/** What everyone can find, including a channel that is not public anymore. */
const channel =
  (action: Action) =>
  ({ conversationId: id, version, visibility, changed }: ChannelEventData): readonly LiveUpdate[] =>
    visibility === 'public' || changed?.includes('visibility')
      ? [{ audience: 'everyone', change: { resource: 'channel', id, action, version, tags: ['channels'] } }]
      : [];

type MessageEventData = {
  conversationId: string;
  /** Of a reply. */
  rootId?: string | undefined;
  seq: number;
  revision?: number | undefined;
};

const message =
  (action: Action) =>
  (data: MessageEventData): LiveUpdate => ({
    audience: { conversation: data.conversationId, users: [] },
    change: {
      ...(data.rootId ? { resource: 'reply', id: data.rootId } : { resource: 'message', id: data.conversationId }),
      action,
      version: data.seq,
      tags: ['conversations'],
      ...(data.revision !== undefined && { revision: data.revision }),
    },
  });

export const FANOUT: readonly FanoutRow[] = [
  row(chat.conversationCreated, conversation('created', toParticipants), channel('created')),
  row(chat.conversationUpdated, updatedForParticipants, updatedForAffectedUsers, channel('updated')),
  row(chat.conversationDeleted, conversation('deleted', toParticipants), channel('deleted')),
  // Fallback for a `message:new` that is lost because the pod stopped between commit and emit.
  row(chat.messageSent, message('created')),
  row(chat.messageChanged, message('updated')),
  row(chat.replySent, message('created')),
  row(chat.emojiChanged, ({ emojiId: id, action }) => ({
    audience: 'everyone',
    change: { resource: 'emoji', id, action, version: 1, tags: ['emoji'] },
  })),
];

export const NOT_FANNED_OUT: ExemptEvents = {
  [subjectOf(chat.attachmentSaved)]: 'the documents service publishes documents.document.uploaded in response',
  [subjectOf(chat.mentionsRemoved)]: 'notifications publishes a change of the list in response',
  [subjectOf(chat.reminderDue)]: 'notifications publishes a change of the list in response',
  [subjectOf(chat.recipientsFound)]: 'notifications publishes a change of the list in response',
  [subjectOf(chat.messagesRead)]: 'chat itself sends the new read position to the sockets of the user',
  [subjectOf(chat.messageRejected)]: 'nothing changes; the notifications service emails the user',
  [subjectOf(chat.summaryPosted)]:
    'the message is published by chat.message.sent, and the meeting by meetings.content.changed',
};
