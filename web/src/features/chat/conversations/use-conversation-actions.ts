import type { CallOf } from '@atrium/proto-events/endpoint';
import type {
  addParticipant,
  Conversation,
  createConversation,
  deleteConversation,
  leaveConversation,
  removeParticipantByPath,
  renameConversation,
} from '@atrium/proto-events/http/chat';
import { useListChanges } from '../../../entities/conversation/use-conversations.ts';
import { call } from '../../../lib/api/api.ts';
import { idempotencyOptions } from '../../../lib/hooks/use-idempotency-key.ts';
import { useCacheUpdate } from '../../../realtime/use-cache-update.ts';
import { useInvalidate } from '../../../realtime/use-invalidate.ts';
import { noteOwnChange } from '../messages/own-change-filter.ts';

/** The writes on conversations; each shows at once and makes the list ask again. */
export function useConversationActions() {
  const refresh = useInvalidate();
  const show = useCacheUpdate<Conversation>('conversation');
  const { put, remove } = useListChanges();
  const settle = (conversation: Conversation) => {
    put(conversation);
    refresh('/chat/conversations');
    return conversation;
  };
  return {
    /** A channel, or the direct conversation with somebody, which is the one that was there if there was one. */
    create: async (body: CallOf<typeof createConversation>['body'], idempotencyKey?: string) => {
      const conversation = await call<typeof createConversation>(
        'POST /chat/conversations',
        { body },
        idempotencyKey === undefined ? {} : idempotencyOptions(idempotencyKey),
      );
      return settle(conversation);
    },
    rename: async (id: string, title: string) =>
      settle(
        await call<typeof renameConversation>('PATCH /chat/conversations/:id', { params: { id }, body: { title } }),
      ),
    remove: async (id: string) => {
      noteOwnChange(id);
      await call<typeof deleteConversation>('DELETE /chat/conversations/:id', { params: { id } });
    },
    leave: async (id: string, me: string) => {
      noteOwnChange(id, me);
      await call<typeof leaveConversation>('POST /chat/conversations/:id/leave', { params: { id } });
    },
    /** Once nobody looks at it any more: asking for it would only answer that it is gone. */
    dropFromList: (id: string) => {
      remove(id);
      refresh('/chat/conversations');
    },
    /** Answers the conversation with them in it; the list asks again once all of several are. */
    addPerson: async (id: string, userId: string) => {
      noteOwnChange(id, userId);
      const input = { params: { id }, body: { userId } };
      const changed = await call<typeof addParticipant>('POST /chat/conversations/:id/participants', input);
      put(changed);
      return changed;
    },
    removePerson: async (id: string, userId: string) => {
      noteOwnChange(id, userId);
      const params = { id, userId };
      await call<typeof removeParticipantByPath>('DELETE /chat/conversations/:id/participants/:userId', { params });
      show.changed(id, (conversation) => withoutPerson(conversation, userId));
      refresh('/chat/conversations');
    },
  };
}

/** A list names only some of the people, so that who left may not be among them; their number comes with it. */
function withoutPerson(conversation: Conversation, userId: string): Conversation {
  const participants = conversation.participants.filter(({ _id }) => _id !== userId);
  const left = conversation.participants.length - participants.length;
  const { participantCount: count } = conversation;
  return left === 0 ? conversation : { ...conversation, participants, participantCount: count - left };
}
