import type { Audience } from '../audience.ts';
import type { Action, LiveUpdate } from './live-update.ts';

type ConversationFacts = { conversationId: string; version: number; changed?: string[] };

export const conversation =
  <Facts extends ConversationFacts>(action: Action, audienceOf: (data: Facts) => Audience) =>
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

type PeopleOf = ConversationFacts & { participantIds: string[] };
/** Whose sockets are not in its room yet, or no longer. */
export const byName = ({ participantIds: users }: PeopleOf): Audience => ({ users });

type PeopleChanged = ConversationFacts & { addedIds: string[]; removedIds: string[]; changed: string[] };

/** What concerns whoever comes or goes: browsers ask anew for what follows from it, such as how much is unread. */
const OWN = 'participants';
/** The same to everybody else. */
const OF_OTHERS = 'otherParticipants';

/** To however many take part, without a list of them. */
export const changedInside = (data: PeopleChanged): LiveUpdate =>
  conversation<PeopleChanged>('updated', ({ conversationId }) => ({ conversation: conversationId, users: [] }))({
    ...data,
    changed: data.changed.map((field) => (field === OWN ? OF_OTHERS : field)),
  });

/** To those whose part in it began or ended; one who is gone is in no room of it. */
export const changedOwn = (data: PeopleChanged): readonly LiveUpdate[] => {
  const users = [...data.addedIds, ...data.removedIds];
  return users.length === 0 ? [] : [conversation('updated', () => ({ users }))(data)];
};

export const message =
  (action: Action) =>
  (data: { conversationId: string; seq: number; revision?: number | undefined }): LiveUpdate => ({
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
