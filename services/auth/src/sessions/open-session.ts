import { randomBytes } from 'node:crypto';
import type { SecurityRecord } from '@atrium/proto-events/events/audit';
import { deviceAdded, sessionStarted } from '@atrium/proto-events/events/auth';
import { outboxRow } from '@atrium/service-kit/messaging/outbox';
import { databaseTime, type Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Account } from '../accounts/account-repository.ts';
import type { Deps } from '../deps.ts';
import { hashToken } from '../hash-token.ts';
import { MAX_SESSIONS } from './end-sessions.ts';
import { insertSession } from './insert-session.ts';
import type { Origin } from './origin.ts';
import { firstToken } from './rotate-refresh-token.ts';
import { type Lifetime, lifetimeOf, type TokenState } from './session-repository.ts';
import { signAccessToken } from './sign-access-token.ts';

const DEVICE_TOKEN = /^[\w-]{43}$/;

/** 32 random bytes in base64url. A valid token is kept, also for a second account; anything else is replaced. */
function issueDeviceToken(given: string | undefined): string {
  return given !== undefined && DEVICE_TOKEN.test(given) ? given : randomBytes(32).toString('base64url');
}

type Session = {
  id: string;
  userId: string;
  email: string;
  startedAt: Date;
  origin: Origin;
  lifetime: Lifetime;
  tokenState: TokenState;
  tokens: { accessToken: string; refreshToken: string; device: string };
};

type IssueSessionParams = {
  account: Pick<Account, 'id' | 'role' | 'email'>;
  origin: Origin;
  device: string | undefined;
  /** Database time, if already known. */
  startedAt?: Date;
};

export async function issueSession(
  { db, keys, refreshTokens, directory, config }: Deps,
  { account, origin, device, startedAt: given }: IssueSessionParams,
): Promise<Session> {
  const id = newId();
  const startedAt = given ?? (await databaseTime(db));
  const role = directory.user(account.id)?.role ?? account.role;
  const accessToken = await signAccessToken(keys, { userId: account.id, role, sessionId: id, at: startedAt });
  const { token: refreshToken, state: tokenState } = firstToken(refreshTokens, id);
  const tokens = { accessToken, refreshToken, device: issueDeviceToken(device) };
  return {
    id,
    userId: account.id,
    email: account.email,
    startedAt,
    origin,
    lifetime: lifetimeOf(config),
    tokenState,
    tokens,
  };
}

const signInRecord = ({ id, userId, email, origin: { address } }: Session): SecurityRecord => ({
  action: 'sign-in.succeeded',
  outcome: 'allowed',
  userId,
  email,
  address,
  sessionId: id,
});

export const logSignIn = ({ securityLog }: Pick<Deps, 'securityLog'>, session: Session): void =>
  securityLog.write(signInRecord(session));

/**
 * Stores the session with its security record and publishes both, and a new device beside others. Returns undefined, and stores nothing, if
 * the password of the account has changed.
 */
export async function openSession(
  { securityLog }: Pick<Deps, 'securityLog'>,
  db: Queryable,
  session: Session,
  { passwordHash = null }: { passwordHash?: string | null } = {},
): Promise<{ exceedsLimit: boolean } | undefined> {
  const { id, userId, startedAt, origin, tokenState, lifetime, tokens } = session;
  const started = { userId, sessionId: id, at: startedAt.toISOString() };
  const about = { aggregate: userId, actorId: userId };
  const stored = await insertSession(db, {
    row: { id, user_id: userId, created_at: startedAt, ...origin, ...tokenState },
    lifetime,
    passwordHash,
    device: hashToken(tokens.device),
    started: outboxRow({ event: sessionStarted, data: started, ...about }),
    deviceAdded: outboxRow({ event: deviceAdded, data: { ...started, ...origin }, ...about }),
    recorded: securityLog.row(signInRecord(session)),
    maxOthers: MAX_SESSIONS,
  });
  return stored && { exceedsLimit: stored.others >= MAX_SESSIONS };
}
