import { invitationCreated, invitationRevoked } from '@atrium/proto-events/events/auth';
import type { inviteBody } from '@atrium/proto-events/http/invitations';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { AppError, invalidField, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import { type Account, deleteAccount, insertAccount } from '../accounts/account-repository.ts';
import type { Deps } from '../deps.ts';
import { createSecretLink, openSealedLink } from '../secrets/secret-link.ts';
import { assertOpenSession } from '../sessions/session-repository.ts';
import {
  deleteOpenInvitation,
  findOpenInvitation,
  type InvitationRow,
  insertInvitation,
  presentInvitation,
  renewInvitation,
  toInvitedUser,
} from './invitation-repository.ts';

type InviteParams = { body: Body; key: IdempotencyKey | undefined };
type Body = z.output<typeof inviteBody>;

/**
 * Other services create the user and send the email when they receive the event. A retry with the same idempotency key
 * returns the same link.
 */
export async function inviteUser({ db, config, directory }: Deps, caller: Caller, { body, key }: InviteParams) {
  const departmentId = body.department ?? null;
  if (departmentId !== null && !directory.department(departmentId)?.isActive)
    throw invalidField('department', 'Unknown department');
  const { tokenHash, sealedUrl } = await createSecretLink(config, 'accept-invite');
  const account = newInvitedAccount(body, departmentId);
  const id = newId();
  const mailEventId = newId();
  const invitedBy = caller.userId;
  const savedResponse = await withIdempotencyKey(db, { caller, key }, async (tx) => {
    await assertOpenSession(tx, caller);
    await insertAccount(tx, account);
    await insertInvitation(tx, { id, userId: account.id, tokenHash, mailEventId, invitedBy });
    const row = await findOpenInvitation(tx, id);
    if (!row) throw notFound('Invitation');
    await appendInvitationCreated(directory, tx, { row, sealedUrl, mailEventId, actorId: invitedBy });
    // The response saved for retries contains no usable link.
    return { invitation: presentInvitation(directory, row), sealedUrl };
  });
  const inviteUrl = await openSealedLink(config, savedResponse.sealedUrl);
  if (inviteUrl === undefined) throw new AppError('conflict', ALREADY_INVITED);
  return { ...savedResponse.invitation, inviteUrl };
}

const ALREADY_INVITED = 'This invitation was already created. Resend it to get a new link.';

function newInvitedAccount(body: Body, departmentId: string | null): Account {
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

export async function resendInvitation({ db, config, directory }: Deps, caller: Caller, id: string) {
  const { url, tokenHash, sealedUrl } = await createSecretLink(config, 'accept-invite');
  const mailEventId = newId();
  const renewedRow = await db.transaction(async (tx) => {
    await assertOpenSession(tx, caller);
    const isRenewed = await renewInvitation(tx, id, { tokenHash, mailEventId, sentBy: caller.userId });
    const row = isRenewed ? await findOpenInvitation(tx, id) : undefined;
    if (!row) throw notFound('Invitation');
    await appendInvitationCreated(directory, tx, { row, sealedUrl, mailEventId, actorId: caller.userId });
    return row;
  });
  return { ...presentInvitation(directory, renewedRow), inviteUrl: url };
}

/** Deletes the invitation and its unused account, which frees the email immediately. */
export async function revokeInvitation({ db }: Deps, caller: Caller, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await assertOpenSession(tx, caller);
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

type InvitationCreatedParams = { row: InvitationRow; sealedUrl: string; mailEventId: string; actorId: string };

async function appendInvitationCreated(
  directory: Directory,
  tx: Queryable,
  { row, sealedUrl, mailEventId, actorId }: InvitationCreatedParams,
): Promise<void> {
  await appendEvent(tx, {
    id: mailEventId,
    event: invitationCreated,
    data: {
      userId: row.user_id,
      ...toInvitedUser(directory, row),
      invitationId: row.id,
      invitedBy: row.invited_by,
      expiresAt: row.expires_at.toISOString(),
      sealedUrl,
    },
    aggregate: row.user_id,
    actorId,
  });
}
