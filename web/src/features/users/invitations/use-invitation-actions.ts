import type { CallOf, ResponseOf } from '@atrium/proto-events/endpoint';
import type { Invitation, invite, resendInvite, revokeInvite } from '@atrium/proto-events/http/invitations';
import { call } from '#lib/api/api.ts';
import { idempotencyOptions } from '#lib/hooks/use-idempotency-key.ts';
import { useWrite } from '#realtime/use-write.ts';

export type InvitationWithLink = ResponseOf<typeof invite>;

export function useInvitationActions() {
  const write = useWrite<Invitation>('invitation');
  const refreshAll = () => write.refetch('/users', '/departments', '/auth/invites');
  return {
    invite: async (body: CallOf<typeof invite>['body'], idempotencyKey: string): Promise<InvitationWithLink> => {
      const invitation = await call<typeof invite>('POST /auth/invite', { body }, idempotencyOptions(idempotencyKey));
      refreshAll();
      return invitation;
    },
    resend: async (id: string): Promise<InvitationWithLink> => {
      const invitation = await call<typeof resendInvite>('POST /auth/invites/:id/resend', { params: { id } });
      // The link must not be cached.
      const { inviteUrl, ...listed } = invitation;
      write.saved(listed);
      write.refetch('/auth/invites');
      return invitation;
    },
    revoke: async (id: string) => {
      await call<typeof revokeInvite>('DELETE /auth/invites/:id', { params: { id } });
      write.deleted(({ _id }) => _id === id);
      refreshAll();
    },
  };
}
