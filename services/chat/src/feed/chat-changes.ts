import type { Action, Audience, LiveUpdate } from './audience.ts';

type ConversationEventData = { conversationId: string; version: number; changed?: string[] };

export const conversation =
  <Data extends ConversationEventData>(action: Action, toAudience: (data: Data) => Audience) =>
  (data: Data): LiveUpdate => ({
    topics: ['conversations'],
    audience: toAudience(data),
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
/** Selects them by user id, because their sockets have not joined the conversation's room yet, or have left it. */
export const toParticipants = ({ participantIds: users }: ParticipantsEventData): Audience => ({ users });

type ParticipantsChangedData = ConversationEventData & { addedIds: string[]; removedIds: string[]; changed: string[] };

/** Sent to users who were added or removed; their browsers also refetch unread counts. */
const OWN_PARTICIPATION = 'participants';
const OTHER_PARTICIPANTS = 'otherParticipants';

export const updatedForParticipants = (data: ParticipantsChangedData): LiveUpdate =>
  conversation<ParticipantsChangedData>('updated', ({ conversationId }) => ({
    conversation: conversationId,
    users: [],
  }))({
    ...data,
    changed: data.changed.map((field) => (field === OWN_PARTICIPATION ? OTHER_PARTICIPANTS : field)),
  });

export const updatedForAffectedUsers = (data: ParticipantsChangedData): readonly LiveUpdate[] => {
  const users = [...data.addedIds, ...data.removedIds];
  return users.length === 0 ? [] : [conversation('updated', () => ({ users }))(data)];
};

export const message =
  (action: Action) =>
  (data: { conversationId: string; seq: number; revision?: number | undefined }): LiveUpdate => ({
    // Has no topic, because every screen shows the unread count.
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
