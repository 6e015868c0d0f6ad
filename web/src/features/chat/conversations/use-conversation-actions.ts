import type { CallOf } from '@atrium/proto-events/endpoint';
import type { archiveConversation, joinChannel, restoreConversation } from '@atrium/proto-events/http/chat/channels';
import type {
  addParticipant,
  Conversation,
  createConversation,
  deleteConversation,
  leaveConversation,
  removeParticipantByPath,
  renameConversation,
} from '@atrium/proto-events/http/chat/conversations';
import { PATH, withConversation } from '#entities/conversation/conversation-edits.ts';
import { call } from '#lib/api/api.ts';
import { idempotencyOptions } from '#lib/hooks/use-idempotency-key.ts';
import { useQueryCache } from '#lib/query/swr-config.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { useWrite } from '#realtime/use-write.ts';

/** Events of the user's own changes arrive within this time. */
const FILTER_TTL_MS = 5_000;
const ownChanges = createUserScopedStore(() => new Map<string, number>());

/** Records a change by the signed-in user, who is then not notified of its event. */
function recordOwnChange(conversationId: string, user?: string): void {
  ownChanges.get().set(`${conversationId}:${user}`, Date.now());
}

export function isOwnChange(conversationId: string, user?: string): boolean {
  const at = ownChanges.get().get(`${conversationId}:${user}`);
  return at !== undefined && Date.now() - at < FILTER_TTL_MS;
}

export function useConversationActions() {
  const cache = useQueryCache();
  const write = useWrite<Conversation>('conversation');
  const show = (conversation: Conversation) => {
    cache.edit(withConversation(conversation), { isOptimistic: true });
    return conversation;
  };
  return {
    /** Creates a channel, or returns the direct conversation with a user, creating it if necessary. */
    create: async (body: CallOf<typeof createConversation>['body'], idempotencyKey?: string) => {
      const conversation = await call<typeof createConversation>(
        'POST /chat/conversations',
        { body },
        idempotencyKey === undefined ? {} : idempotencyOptions(idempotencyKey),
      );
      return show(conversation);
    },
    change: async (id: string, body: CallOf<typeof renameConversation>['body']) =>
      show(await call<typeof renameConversation>('PATCH /chat/conversations/:id', { params: { id }, body })),
    join: async (id: string, currentUserId: string) => {
      recordOwnChange(id, currentUserId);
      return show(await call<typeof joinChannel>('POST /chat/channels/:id/join', { params: { id } }));
    },
    archive: async (id: string) =>
      show(await call<typeof archiveConversation>('POST /chat/conversations/:id/archive', { params: { id } })),
    restore: async (id: string) =>
      show(await call<typeof restoreConversation>('POST /chat/conversations/:id/restore', { params: { id } })),
    remove: async (id: string) => {
      recordOwnChange(id);
      await call<typeof deleteConversation>('DELETE /chat/conversations/:id', { params: { id } });
    },
    leave: async (id: string, currentUserId: string) => {
      recordOwnChange(id, currentUserId);
      await call<typeof leaveConversation>('POST /chat/conversations/:id/leave', { params: { id } });
    },
    /** Call after the screen has closed it: a refetch would only return 404. */
    dropFromList: (id: string) => write.deleted(({ _id }) => _id === id),
    addParticipant: async (id: string, userId: string) => {
      recordOwnChange(id, userId);
      const input = { params: { id }, body: { userId } };
      return show(await call<typeof addParticipant>('POST /chat/conversations/:id/participants', input));
    },
    removeParticipant: async (id: string, userId: string) => {
      recordOwnChange(id, userId);
      const params = { id, userId };
      await call<typeof removeParticipantByPath>('DELETE /chat/conversations/:id/participants/:userId', { params });
      write.changed(id, (conversation) => withoutParticipant(conversation, userId));
      write.refetch(PATH);
    },
  };
}

/**
 * List items include only some participants. If the removed user is not among them, an event may or may not have lowered
 * the count already, so the refetch corrects it.
 */
function withoutParticipant(conversation: Conversation, userId: string): Conversation {
  const participants = conversation.participants.filter(({ _id }) => _id !== userId);
  const removedCount = conversation.participants.length - participants.length;
  const { participantCount: count } = conversation;
  return removedCount === 0 ? conversation : { ...conversation, participants, participantCount: count - removedCount };
}
