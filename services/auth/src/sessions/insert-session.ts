import type { OutboxRow } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Origin } from './origin.ts';
import type { Lifetime, SessionRow, TokenState } from './session-repository.ts';

export type NewSession = {
  row: SessionRow & Origin & Pick<TokenState, 'token_seed' | 'token_hash'>;
  lifetime: Lifetime;
  /** The password hash at the time of the check; null if none was checked. */
  passwordHash: string | null;
  device: Buffer;
  started: OutboxRow;
  /** Published only if the device is new to an account that has other devices. */
  deviceAdded: OutboxRow;
  recorded: OutboxRow;
  maxOthers: number;
};

/** Locks the password between the check and the session. */
const OPEN = `with account as (
  select id from accounts where id = $2 and ($9::text is null or password_hash = $9) for share
), session as (
  insert into sessions (id, user_id, created_at, expires_at, device, address, token_seed, token_hash)
  select $1, account.id, $3, now() + make_interval(days => least($10::int, $11::int)), $4, $5, $6, $7 from account
  returning id, user_id
), device as (
  insert into known_devices (user_id, mark_hash, scripted) select user_id, $8, $4::text is null from session
  on conflict (user_id, mark_hash) do update set last_used_at = now()
  returning user_id, xmax = 0 as is_new
), further as (
  select from device where is_new and exists (select from known_devices d where d.user_id = device.user_id)
), published as (
  insert into outbox (subject, message_id, aggregate, payload)
  select subject, message_id, aggregate, payload from (
    select 1 as place, $12 as subject, $13 as message_id, $2 as aggregate, $14 as payload from session
    union all select 2, $15, $16, $2, $17 from further
    union all select 3, $19, $20, $20, $21 from session
  ) as events order by place
)
select (
  select count(*) from (
    select from sessions s where s.user_id = session.user_id and s.expires_at > now() limit $18
  ) as open
) as others from session`;

/**
 * One statement, so that everything is stored or nothing. Returns the number of other open sessions, counted up to `maxOthers`; undefined
 * if the account does not exist or its password has changed.
 */
export async function insertSession(db: Queryable, session: NewSession): Promise<{ others: number } | undefined> {
  const { row, lifetime, passwordHash, device, started, deviceAdded, recorded, maxOthers } = session;
  const { rows } = await db.query<{ others: number }>({
    name: 'open-session',
    text: OPEN,
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
      recorded.subject,
      recorded.messageId,
      recorded.payload,
    ],
  });
  return rows[0];
}
