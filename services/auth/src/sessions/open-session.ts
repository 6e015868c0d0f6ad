import { randomBytes } from 'node:crypto';
import { deviceAdded, sessionStarted } from '@atrium/proto-events/events/auth';
import type { SecurityRecord } from '@atrium/proto-events/security-record';
import { type OutboxRow, outboxRow } from '@atrium/service-kit/messaging/outbox';
import { databaseTime, type Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Account } from '../accounts/account-repository.ts';
import type { Deps } from '../deps.ts';
import { hashToken } from '../secrets/crypto.ts';
import { MAX_SESSIONS } from './end-sessions.ts';
import type { SessionClient } from './session-client.ts';
import { getLifetime, type Lifetime, type SessionRow, type TokenState } from './session-repository.ts';
import { createFirstToken, signAccessToken } from './session-tokens.ts';

const DEVICE_TOKEN = /^[\w-]{43}$/;

/** Keeps a valid token, even one issued to a different account; otherwise returns 32 random bytes in base64url. */
function issueDeviceToken(token: string | undefined): string {
  return token !== undefined && DEVICE_TOKEN.test(token) ? token : randomBytes(32).toString('base64url');
}

type Session = {
  id: string;
  userId: string;
  email: string;
  startedAt: Date;
  client: SessionClient;
  lifetime: Lifetime;
  tokenState: TokenState;
  tokens: { accessToken: string; refreshToken: string; device: string };
};

type IssueSessionParams = {
  account: Pick<Account, 'id' | 'role' | 'email'>;
  client: SessionClient;
  device: string | undefined;
  startedAt?: Date;
};

export async function issueSession(
  { db, keys, refreshTokens, directory, config }: Deps,
  { account, client, device, startedAt: knownStart }: IssueSessionParams,
): Promise<Session> {
  const id = newId();
  const startedAt = knownStart ?? (await databaseTime(db));
  const role = directory.user(account.id)?.role ?? account.role;
  const accessToken = await signAccessToken(keys, { userId: account.id, role, sessionId: id, at: startedAt });
  const { token: refreshToken, state: tokenState } = createFirstToken(refreshTokens, id);
  const tokens = { accessToken, refreshToken, device: issueDeviceToken(device) };
  return {
    id,
    userId: account.id,
    email: account.email,
    startedAt,
    client,
    lifetime: getLifetime(config),
    tokenState,
    tokens,
  };
}

const toSignInRecord = ({ id, userId, email, client: { address } }: Session): SecurityRecord => ({
  action: 'sign-in.succeeded',
  outcome: 'allowed',
  userId,
  email,
  address,
  sessionId: id,
});

export const logSignIn = ({ securityLog }: Pick<Deps, 'securityLog'>, session: Session): void =>
  securityLog.write(toSignInRecord(session));

/**
 * Stores the session with its security record and the events of both. Also appends an event about the device if it is
 * new to an account that has others. Returns undefined, and stores nothing, if the password of the account has changed.
 */
export async function openSession(
  { securityLog }: Pick<Deps, 'securityLog'>,
  db: Queryable,
  session: Session,
  { passwordHash = null }: { passwordHash?: string | null } = {},
): Promise<{ exceedsLimit: boolean } | undefined> {
  const { id, userId, startedAt, client, tokenState, lifetime, tokens } = session;
  const startedData = { userId, sessionId: id, at: startedAt.toISOString() };
  const subject = { aggregate: userId, actorId: userId };
  const insertedSession = await insertSession(db, {
    row: { id, user_id: userId, created_at: startedAt, ...client, ...tokenState },
    lifetime,
    passwordHash,
    device: hashToken(tokens.device),
    started: outboxRow({ event: sessionStarted, data: startedData, ...subject }),
    deviceAdded: outboxRow({ event: deviceAdded, data: { ...startedData, ...client }, ...subject }),
    securityRecord: securityLog.row(toSignInRecord(session)),
    maxOthers: MAX_SESSIONS,
  });
  return insertedSession && { exceedsLimit: insertedSession.others >= MAX_SESSIONS };
}

type NewSession = {
  row: SessionRow & SessionClient & Pick<TokenState, 'token_seed' | 'token_hash'>;
  lifetime: Lifetime;
  /** The password hash at the time of the check; null if none was checked. */
  passwordHash: string | null;
  device: Buffer;
  started: OutboxRow;
  /** Stored only if the device is new to an account that has other devices. */
  deviceAdded: OutboxRow;
  securityRecord: OutboxRow;
  maxOthers: number;
};

/** Locks the password, so that it cannot change between its check and the insertion of the session. */
const INSERT_SESSION = `with account as (
  select id from accounts where id = $2 and ($9::text is null or password_hash = $9) for share
), session as (
  insert into sessions (id, user_id, created_at, expires_at, device, address, token_seed, token_hash)
  select $1, account.id, $3, now() + make_interval(days => least($10::int, $11::int)), $4, $5, $6, $7 from account
  returning id, user_id
), device as (
  insert into known_devices (user_id, token_hash, scripted) select user_id, $8, $4::text is null from session
  on conflict (user_id, token_hash) do update set last_used_at = now()
  returning user_id, xmax = 0 as is_new
), other_devices as (
  select from device where is_new and exists (select from known_devices d where d.user_id = device.user_id)
), queued as (
  insert into outbox (subject, message_id, aggregate, payload)
  select subject, message_id, aggregate, payload from (
    select 1 as position, $12 as subject, $13 as message_id, $2 as aggregate, $14 as payload from session
    union all select 2, $15, $16, $2, $17 from other_devices
    union all select 3, $19, $20, $20, $21 from session
  ) as events order by position
)
select (
  select count(*) from (
    select from sessions s where s.user_id = session.user_id and s.expires_at > now() limit $18
  ) as open
) as others from session`;

/**
 * One statement, so that everything is stored or nothing. Returns the number of other open sessions, counted up to
 * `maxOthers`; undefined if the account does not exist or its password has changed.
 */
async function insertSession(db: Queryable, session: NewSession): Promise<{ others: number } | undefined> {
  const { row, lifetime, passwordHash, device, started, deviceAdded, securityRecord, maxOthers } = session;
  const { rows } = await db.query<{ others: number }>({
    name: 'open-session',
    text: INSERT_SESSION,
    values: [
      row.id,
      row.user_id,
      row.created_at,
      row.device,
      row.address,
      row.token_seed,
      row.token_hash,
      device,
      passwordHash,
      lifetime.idleDays,
      lifetime.maxDays,
      started.subject,
      started.messageId,
      started.payload,
      deviceAdded.subject,
      deviceAdded.messageId,
      deviceAdded.payload,
      maxOthers,
      securityRecord.subject,
      securityRecord.messageId,
      securityRecord.payload,
    ],
  });
  return rows[0];
}
