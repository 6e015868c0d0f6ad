import type { Action, Audience, LiveUpdate } from './audience.ts';

type ConversationEventData = { conversationId: string; version: number; changed?: string[] };

export const conversation =
  <Facts extends ConversationEventData>(action: Action, audienceOf: (data: Facts) => Audience) =>
  (data: Facts): LiveUpdate => ({
    topics: ['conversations'],
    audience: audienceOf(data),
    changes: [
      {
        resource: 'conversation',
        id: data.conversationId,
        action,
        version: data.version,
        ...(data.changed && { changed: data.changed }),
      },
    ],
  });

type ParticipantsEventData = ConversationEventData & { participantIds: string[] };
/** By user id, because their sockets have not joined the conversation's room yet, or have left it. */
export const toParticipants = ({ participantIds: users }: ParticipantsEventData): Audience => ({ users });

type ParticipantsChanged = ConversationEventData & { addedIds: string[]; removedIds: string[]; changed: string[] };

/** For users who were added or removed: their browsers also refetch unread counts. */
const OWN = 'participants';
const OTHER_PARTICIPANTS = 'otherParticipants';

export const updatedForParticipants = (data: ParticipantsChanged): LiveUpdate =>
  conversation<ParticipantsChanged>('updated', ({ conversationId }) => ({ conversation: conversationId, users: [] }))({
    ...data,
    changed: data.changed.map((field) => (field === OWN ? OTHER_PARTICIPANTS : field)),
  });

export const updatedForAffectedUsers = (data: ParticipantsChanged): readonly LiveUpdate[] => {
  const users = [...data.addedIds, ...data.removedIds];
  return users.length === 0 ? [] : [conversation('updated', () => ({ users }))(data)];
};

export const message =
  (action: Action) =>
  (data: { conversationId: string; seq: number; revision?: number | undefined }): LiveUpdate => ({
    // No topic, because every screen shows the unread count.
    topics: [],
    audience: { conversation: data.conversationId, users: [] },
    changes: [
      {
        resource: 'message',
        id: data.conversationId,
        action,
        version: data.seq,
        ...(data.revision !== undefined && { revision: data.revision }),
      },
    ],
  });
