import { randomBytes } from 'node:crypto';
import { invitationCreated } from '@atrium/proto-events/events/auth';
import type { inviteBody } from '@atrium/proto-events/http/auth';
import { AppError } from '@atrium/service-kit/app-error';
import type { Caller } from '@atrium/service-kit/authenticate';
import { newId } from '@atrium/service-kit/new-id';
import { appendEvent } from '@atrium/service-kit/outbox';
import type { z } from 'zod';
import type { Account } from '../accounts/account-repository.ts';
import { facts, insertNewAccount } from '../accounts/register.ts';
import type { Deps } from '../app.ts';
import { hashToken } from '../sessions/refresh-tokens.ts';
import { insertInvitation } from './invitation-repository.ts';
import { INVITE_REFUSED, mayInvite } from './policy.ts';
import { sealLink } from './seal-link.ts';

type Body = z.output<typeof inviteBody>;

/** Invites a person, who is in the user list from the event on; the e-mail follows from it, too. */
export async function invitePerson(deps: Deps, caller: Caller, body: Body) {
  const { db, config } = deps;
  if (!mayInvite(caller)) throw new AppError('forbidden', INVITE_REFUSED);
  const department = departmentOf(deps, body.department ?? null);
  const token = randomBytes(32).toString('base64url');
  const inviteUrl = `${config.PUBLIC_URL}/accept-invite?token=${token}`;
  const sealedUrl = await sealLink(inviteUrl, config.LINK_SEALING_KEY);
  const account = invitedAccount(body);
  const invitation = { id: newId(), userId: account.id, tokenHash: hashToken(token), invitedBy: caller.userId };

  const expiresAt = await db.transaction(async (tx) => {
    await insertNewAccount(tx, account);
    const expires = (await insertInvitation(tx, invitation)).toISOString();
    await appendEvent(tx, {
      event: invitationCreated,
      data: {
        ...facts(account),
        invitationId: invitation.id,
        departmentId: account.department_id,
        invitedBy: caller.userId,
        expiresAt: expires,
        sealedUrl,
      },
      aggregate: account.id,
      actorId: caller.userId,
    });
    return expires;
  });
  const { email, firstName, lastName, role } = body;
  return {
    _id: invitation.id,
    user: account.id,
    ...{ email, firstName, lastName, role, department, expiresAt, inviteUrl },
    invitedBy: deps.directory.summary(caller.userId),
    createdAt: new Date().toISOString(),
    expired: false,
    delivery: 'queued' as const,
  };
}

function invitedAccount(body: Body): Account {
  return {
    id: newId(),
    email: body.email,
    password_hash: null,
    state: 'invited',
    first_name: body.firstName,
    last_name: body.lastName,
    role: body.role,
    department_id: body.department ?? null,
    activated_at: null,
  };
}

function departmentOf({ directory }: Deps, id: string | null) {
  if (id === null) return null;
  const found = directory.department(id);
  if (found) return { _id: found._id, name: found.name };
  const message = 'Unknown department';
  throw new AppError('validation_failed', message, {
    messages: [message],
    errors: [{ path: 'body.department', message }],
  });
}
