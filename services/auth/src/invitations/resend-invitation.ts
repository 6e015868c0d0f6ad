import { notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { makeSecretLink } from '../secret-link.ts';
import { requireOpenSession } from '../sessions/require-open-session.ts';
import { findOpenInvitation, renewInvitation } from './invitation-repository.ts';
import { presentInvitation } from './present-invitation.ts';
import { announceInvitation } from './publish-invitation.ts';

/** Sends an invitation again: seven days anew with another link, so that the one before is nobody's any more. */
export async function resendInvitation({ db, config, directory }: Deps, caller: Caller, id: string) {
  const { url, tokenHash, sealedUrl } = await makeSecretLink(config, 'accept-invite');
  const mailEventId = newId();
  const row = await db.transaction(async (tx) => {
    await requireOpenSession(tx, caller);
    const renewed = await renewInvitation(tx, id, { tokenHash, mailEventId, sentBy: caller.userId });
    const found = renewed ? await findOpenInvitation(tx, id) : undefined;
    if (!found) throw notFound('Invitation');
    await announceInvitation(directory, tx, { row: found, sealedUrl, mailEventId, actorId: caller.userId });
    return found;
  });
  return { ...presentInvitation(directory, row), inviteUrl: url };
}
