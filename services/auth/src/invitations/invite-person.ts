import type { inviteBody } from '@atrium/proto-events/http/invitations';
import { AppError, invalidField, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { Account } from '../accounts/account-repository.ts';
import { insertNewAccount } from '../accounts/register.ts';
import type { Deps } from '../deps.ts';
import { createSecretLink, openSealedLink } from '../secret-link.ts';
import { requireOpenSession } from '../sessions/require-open-session.ts';
import { findOpenInvitation, insertInvitation } from './invitation-repository.ts';
import { presentInvitation } from './present-invitation.ts';
import { publishInvitation } from './publish-invitation.ts';

type InviteParams = { body: Body; key: IdempotencyKey | undefined };
type Body = z.output<typeof inviteBody>;

/** The user and the email follow from the event. A retry with the same idempotency key returns the same link. */
export async function invitePerson({ db, config, directory }: Deps, caller: Caller, { body, key }: InviteParams) {
  const departmentId = body.department ?? null;
  if (departmentId !== null && !directory.department(departmentId)?.isActive) throw unknownDepartment();
  const { tokenHash, sealedUrl } = await createSecretLink(config, 'accept-invite');
  const account = invitedAccount(body, departmentId);
  const [id, mailEventId, invitedBy] = [newId(), newId(), caller.userId];

  const invited = await withIdempotencyKey(db, { caller, key }, async (tx) => {
    await requireOpenSession(tx, caller);
    await insertNewAccount(tx, account);
    await insertInvitation(tx, { id, userId: account.id, tokenHash, mailEventId, invitedBy });
    const made = await findOpenInvitation(tx, id);
    if (!made) throw notFound('Invitation');
    await publishInvitation(directory, tx, { row: made, sealedUrl, mailEventId, actorId: invitedBy });
    // The response saved for retries contains no usable link.
    return { invitation: presentInvitation(directory, made), sealedUrl };
  });
  const inviteUrl = await openSealedLink(config, invited.sealedUrl);
  if (inviteUrl === undefined) throw new AppError('conflict', ALREADY_INVITED);
  return { ...invited.invitation, inviteUrl };
}

const ALREADY_INVITED = 'This invitation was already created. Resend it to get a new link.';

function invitedAccount(body: Body, departmentId: string | null): Account {
  return {
    id: newId(),
    email: body.email,
    password_hash: null,
    state: 'invited',
    first_name: body.firstName,
    last_name: body.lastName,
    role: body.role,
    department_id: departmentId,
    activated_at: null,
  };
}

const unknownDepartment = () => invalidField('department', 'Unknown department');
