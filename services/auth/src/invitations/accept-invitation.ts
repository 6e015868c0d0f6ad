import { accountActivated } from '@atrium/proto-events/events/auth';
import type { acceptInviteBody } from '@atrium/proto-events/http/invitations';
import { AppError, unavailable } from '@atrium/service-kit/errors/app-error';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { z } from 'zod';
import { type Account, activateAccount, findAccount, presentSessionUser } from '../accounts/account-repository.ts';
import { awaitActive, isDirectoryFresh } from '../accounts/account-status.ts';
import type { Deps } from '../deps.ts';
import { assertUncommonPassword } from '../secrets/common-passwords.ts';
import { hashToken } from '../secrets/crypto.ts';
import { isLinkRevokedOrThrow } from '../secrets/secret-link.ts';
import { issueSession, logSignIn, openSession } from '../sessions/open-session.ts';
import type { SessionClient } from '../sessions/session-client.ts';
import { signInWithUsedLink } from '../sign-in/login.ts';
import { claimInvitation, findInvitationByToken } from './invitation-repository.ts';

type Body = z.output<typeof acceptInviteBody>;

export async function acceptInvitation(deps: Deps, body: Body, client: SessionClient) {
  const tokenHash = hashToken(body.token);
  const { account, accepted } = await findInvitedAccount(deps, tokenHash);
  const session = accepted ? undefined : await activate(deps, { account, tokenHash, body, client });
  if (!session) return signInWithUsedLink(deps, { email: account.email, body, client, linkError: invalidToken() });
  logSignIn(deps, session);
  await awaitActive(deps.directory, account.id);
  return { ...session.tokens, user: presentSessionUser(deps.directory, account) };
}

type Activation = { account: Account; tokenHash: Buffer; body: Body; client: SessionClient };

async function activate(deps: Deps, { account, tokenHash, body, client }: Activation) {
  const { password, phone, location, device } = body;
  await assertUncommonPassword(password, 'password');
  const passwordHash = await deps.passwords.hash(password, { address: client.address, isKnown: true });
  const session = await issueSession(deps, { account, client, device });
  const isFirst = await deps.db.transaction(async (tx) => {
    const claimed = await claimInvitation(tx, tokenHash);
    if (!claimed || !(await activateAccount(tx, account.id, passwordHash))) return false;
    await appendEvent(tx, {
      event: accountActivated,
      data: { userId: account.id, ...(phone && { phone }), ...(location && { location }) },
      aggregate: account.id,
      actorId: account.id,
    });
    await openSession(deps, tx, session);
    return true;
  });
  return isFirst ? session : undefined;
}

/** Checks the invitation before the expensive password hash; claiming it checks again. */
async function findInvitedAccount(deps: Deps, tokenHash: Buffer) {
  const { db, directory } = deps;
  const invitation = await findInvitationByToken(db, tokenHash);
  if (!invitation) throw invalidToken();
  const { accepted, expired, sent_by: createdBy, sent_at: createdAt } = invitation;
  if (!accepted && (expired || isLinkRevokedOrThrow(directory, { createdBy, createdAt })))
    throw new AppError('token_expired', 'This invitation has expired');
  const account = await findAccount(db, invitation.user_id);
  // The directory shows a deletion before this service handles its event.
  if (!account || directory.user(account.id)?.deleted) throw invalidToken();
  // Acceptance issues an access token, and the inviter may have been deactivated in the meantime.
  if (!isDirectoryFresh(deps))
    throw unavailable('Invitations cannot be accepted right now. Please try again in a moment.');
  return { account, accepted };
}

const invalidToken = () => new AppError('invalid_token', 'Invalid invitation token');
