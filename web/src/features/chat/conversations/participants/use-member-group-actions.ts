import type { MemberGroup } from '@atrium/proto-events/http/chat/channel-settings';
import type { addMemberGroup, changeMemberGroup, removeMemberGroup } from '@atrium/proto-events/http/chat/channels';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { PATH, withConversation } from '#entities/conversation/conversation-edits.ts';
import { call } from '#lib/api/api.ts';
import { useQueryCache } from '#lib/query/swr-config.ts';
import { useWrite } from '#realtime/use-write.ts';

type Group = Pick<MemberGroup, 'type' | '_id'>;

/** Changes the departments and projects of a channel. */
export function useMemberGroupActions(conversationId: string) {
  const cache = useQueryCache();
  const write = useWrite<Conversation>('conversation');
  const show = (conversation: Conversation) => cache.edit(withConversation(conversation), { isOptimistic: true });
  return {
    addGroup: async ({ type, _id }: Group, required: boolean) => {
      const input = { params: { id: conversationId }, body: { type, id: _id, required } };
      show(await call<typeof addMemberGroup>('POST /chat/conversations/:id/groups', input));
    },
    requireGroup: async ({ type, _id: groupId }: Group, required: boolean) => {
      const input = { params: { id: conversationId, type, groupId }, body: { required } };
      show(await call<typeof changeMemberGroup>('PATCH /chat/conversations/:id/groups/:type/:groupId', input));
    },
    removeGroup: async ({ type, _id: groupId }: Group) => {
      const params = { id: conversationId, type, groupId };
      await call<typeof removeMemberGroup>('DELETE /chat/conversations/:id/groups/:type/:groupId', { params });
      write.changed(conversationId, ({ memberGroups, ...conversation }) => ({
        ...conversation,
        memberGroups: memberGroups.filter(({ _id }) => _id !== groupId),
      }));
      write.refetch(PATH);
    },
  };
}
