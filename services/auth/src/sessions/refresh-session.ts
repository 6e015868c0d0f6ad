import type { Role } from '@atrium/proto-events/people';
import type { SecurityRecord } from '@atrium/proto-events/security-record';
import { isActive } from '@atrium/service-kit/directory/active-users';
import { AppError, unavailable } from '@atrium/service-kit/errors/app-error';
import { insertRow } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { findAccount } from '../accounts/account-repository.ts';
import { isDirectoryBehind, isDirectoryFresh } from '../accounts/account-status.ts';
import type { Deps } from '../deps.ts';
import { hashToken } from '../secrets/crypto.ts';
import { getSessionId } from '../secrets/refresh-tokens.ts';
import { appendSessionsRevoked } from './end-sessions.ts';
import type { SessionClient } from './session-client.ts';
import {
  deleteSession,
  getLifetime,
  type LockedSession,
  lockActiveSession,
  renewSession,
  type SessionRow,
} from './session-repository.ts';
import { getNextToken, signAccessToken } from './session-tokens.ts';

const INACTIVE = 'Your account is no longer active. Contact an administrator if this was not intended.';

const REASON_MESSAGES: Readonly<Record<string, string>> = {
  'signed-out': 'You signed out of this session on another device.',
  'signed-out-everywhere': 'You signed out on all devices.',
  'ended-by-administrator': 'An administrator signed you out.',
  'password-changed': 'Your password was changed. Sign in with the new password.',
  'role-changed': 'Your role was changed. Sign in again to continue.',
  'account-changed': 'Your account was changed. Sign in again to continue.',
  'refresh-token-reused':
    'You were signed out because this session was used in two places. If this was not you, change your password.',
  'too-many': 'You were signed out because you are signed in on too many devices.',
  deactivated: INACTIVE,
  deleted: INACTIVE,
};

function createSessionEndedError(reason: string | undefined): AppError {
  const message = reason === undefined ? undefined : REASON_MESSAGES[reason];
  return message === undefined ? new AppError('unauthorized', 'Unauthorized') : new AppError('session_ended', message);
}

/** Only the current token proves that the caller owned the session. */
async function findEndReason(db: Queryable, token: string): Promise<string | undefined> {
  const id = getSessionId(token);
  if (id === undefined) return undefined;
  const { rows } = await db.query<{ reason: string }>(
    'select reason from ended_sessions where session_id = $1 and token_hash = $2',
    [id, hashToken(token)],
  );
  return rows[0]?.reason;
}

/**
 * Returns the same successor until that is used, because a response can be lost. Using an older token after that means
 * theft, and ends the session.
 */
export async function refreshSession(deps: Deps, token: string, client: SessionClient) {
  // Loaded before the token is used: a client that gets a 503 retries with the same token.
  await deps.keys.signer();
  const { renewed, reused } = await deps.db.transaction((tx) => exchangeToken(deps, tx, { token, client }));
  if (reused) recordReuse(deps, reused, client);
  if (!renewed) throw createSessionEndedError(await findEndReason(deps.db, token));
  const { session, role, refreshToken } = renewed;
  const { id: sessionId, user_id: userId, now: at } = session;
  const accessToken = await signAccessToken(deps.keys, { userId, role, sessionId, at });
  return { accessToken, refreshToken };
}

type RefreshOutcome = { renewed?: { session: LockedSession; role: Role; refreshToken: string }; reused?: SessionRow };

/** Returned outcomes are committed, even that a session has ended; a thrown error leaves the token unchanged. */
async function exchangeToken(
  deps: Deps,
  tx: Queryable,
  { token, client }: { token: string; client: SessionClient },
): Promise<RefreshOutcome> {
  const lifetime = getLifetime(deps.config);
  const id = getSessionId(token);
  const session = id === undefined ? undefined : await lockActiveSession(tx, id, lifetime);
  const nextToken = session && getNextToken(deps.refreshTokens, { token, session });
  if (!session || !nextToken) return {};
  if (nextToken === 'reused') {
    await endReusedSession(deps, tx, { session, client });
    return { reused: session };
  }
  const role = await assertNotEnded(deps, tx, session);
  if (nextToken.state) await renewSession(tx, session.id, { client, lifetime, token: nextToken.state });
  return { renewed: { session, role, refreshToken: nextToken.token } };
}

type TokenReuse = { session: SessionRow; client: SessionClient };

async function endReusedSession({ securityLog }: Deps, tx: Queryable, { session, client }: TokenReuse): Promise<void> {
  const { id, user_id: userId } = session;
  const reason = 'refresh-token-reused';
  await deleteSession(tx, { id, userId, reason });
  await appendSessionsRevoked(tx, [id], { userId, reason, actorId: null });
  await insertRow(tx, securityLog.row(toReuseRecord({ session, client })));
}

const toReuseRecord = ({ session: { id, user_id: userId }, client: { address } }: TokenReuse): SecurityRecord => ({
  action: 'session.reused',
  outcome: 'denied',
  userId,
  address,
  sessionId: id,
});

/** Runs after the commit. Other pods receive the event; this one revokes immediately, even during a NATS outage. */
function recordReuse({ securityLog, revocations }: Deps, session: SessionRow, client: SessionClient): void {
  revocations.add(session.id);
  securityLog.write(toReuseRecord({ session, client }));
}

/** The directory can be ahead of this service for ended sessions, and behind for accepted invitations. */
async function assertNotEnded(deps: Deps, tx: Queryable, { user_id: userId, created_at }: SessionRow): Promise<Role> {
  const user = deps.directory.user(userId);
  if (!user || !isDirectoryFresh(deps)) throw createUnavailableError();
  if (isActive(user) && user.sessionsValidAfter <= created_at.getTime()) return user.role;
  const account = isActive(user) ? undefined : await findAccount(tx, userId);
  if (account && isDirectoryBehind(deps.directory, account)) throw createUnavailableError();
  // The directory is ahead of the event, so it is unknown whether the role changed or the account was inactive for a
  // while.
  throw createSessionEndedError(isActive(user) ? 'account-changed' : 'deactivated');
}

const createUnavailableError = () => unavailable('Sessions cannot be renewed right now. Please try again in a moment.');
