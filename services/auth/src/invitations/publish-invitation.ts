import { invitationCreated } from '@atrium/proto-events/events/auth';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { InvitationRow } from './invitation-repository.ts';
import { invitedPerson } from './present-invitation.ts';

type PublishInvitationParams = { row: InvitationRow; sealedUrl: string; mailEventId: string; actorId: string };

export async function publishInvitation(
  directory: Directory,
  tx: Queryable,
  given: PublishInvitationParams,
): Promise<void> {
  const { row, sealedUrl, mailEventId, actorId } = given;
  await appendEvent(tx, {
    id: mailEventId,
    event: invitationCreated,
    data: {
      userId: row.user_id,
      ...invitedPerson(directory, row),
      invitationId: row.id,
      invitedBy: row.invited_by,
      expiresAt: row.expires_at.toISOString(),
      sealedUrl,
    },
    aggregate: row.user_id,
    actorId,
  });
}
