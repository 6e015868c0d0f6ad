import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { createSecretLink } from '../secret-link.ts';
import { requireOpenSession } from '../sessions/require-open-session.ts';
import { findOpenInvitation, renewInvitation } from './invitation-repository.ts';
import { presentInvitation } from './present-invitation.ts';
import { publishInvitation } from './publish-invitation.ts';

export async function resendInvitation({ db, config, directory }: Deps, caller: Caller, id: string) {
  const { url, tokenHash, sealedUrl } = await createSecretLink(config, 'accept-invite');
  const mailEventId = newId();
  const row = await db.transaction(async (tx) => {
    await requireOpenSession(tx, caller);
    const renewed = await renewInvitation(tx, id, { tokenHash, mailEventId, sentBy: caller.userId });
    const found = renewed ? await findOpenInvitation(tx, id) : undefined;
    if (!found) throw notFound('Invitation');
    await publishInvitation(directory, tx, { row: found, sealedUrl, mailEventId, actorId: caller.userId });
    return found;
  });
  return { ...presentInvitation(directory, row), inviteUrl: url };
}
