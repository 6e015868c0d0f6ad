import { invitationRevoked } from '@atrium/proto-events/events/auth';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { deleteAccount } from '../accounts/account-repository.ts';
import type { Deps } from '../deps.ts';
import { requireOpenSession } from '../sessions/require-open-session.ts';
import { deleteOpenInvitation } from './invitation-repository.ts';

/** Also deletes the unused account, which frees the email immediately. */
export async function revokeInvitation({ db }: Deps, caller: Caller, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await requireOpenSession(tx, caller);
    const userId = await deleteOpenInvitation(tx, id);
    if (userId === undefined) throw notFound('Invitation');
    await deleteAccount(tx, userId);
    await appendEvent(tx, {
      event: invitationRevoked,
      data: { invitationId: id, userId },
      aggregate: userId,
      actorId: caller.userId,
    });
  });
}
