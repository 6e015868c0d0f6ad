import type { Audience } from '../audience.ts';
import type { Action, Told } from './told.ts';

type ConversationFacts = { conversationId: string; version: number; changed?: string[] };

export const conversation =
  <Facts extends ConversationFacts>(action: Action, audienceOf: (data: Facts) => Audience) =>
  (data: Facts): Told => ({
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

type PeopleOf = ConversationFacts & { participantIds: string[] };
/** Whose sockets are not in its room yet, or no longer. */
export const byName = ({ participantIds: users }: PeopleOf): Audience => ({ users });

type PeopleChanged = ConversationFacts & { addedIds: string[]; removedIds: string[] };
/** However many take part, without a list of them. */
export const inside = ({ conversationId, addedIds, removedIds }: PeopleChanged): Audience => ({
  conversation: conversationId,
  users: [...addedIds, ...removedIds],
});

export const message =
  (action: Action) =>
  (data: { conversationId: string; seq: number; revision?: number | undefined }): Told => ({
    // Unread is counted on every screen.
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
