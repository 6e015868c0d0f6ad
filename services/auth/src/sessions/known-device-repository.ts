import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { hashToken } from '../hash-token.ts';

/** Whether somebody has signed in to the account of an address with this device before; asked alike for addresses that nobody has. */
export async function isKnownDevice(db: Queryable, email: string, device: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'find-known-device',
    text: `select 1 from known_devices d join accounts a on a.id = d.user_id
           where lower(a.email) = lower($1) and d.mark_hash = $2`,
    values: [email, hashToken(device)],
  });
  return rowCount === 1;
}

/** Notes that a device signed in; answers whether it is a further one beside those that the account has. */
export async function rememberDevice(tx: Queryable, userId: string, device: string): Promise<boolean> {
  const { rows } = await tx.query<{ further: boolean }>(
    `with kept as (
       insert into known_devices (user_id, mark_hash) values ($1, $2)
       on conflict (user_id, mark_hash) do update set last_used_at = now()
       returning xmax = 0 as is_new
     )
     select is_new and exists (select from known_devices where user_id = $1) as further from kept`,
    [userId, hashToken(device)],
  );
  return rows[0]?.further ?? false;
}

/** Whoever set a new password by a link may have lost the old one to somebody, whose device is as unknown as any from now on. */
export async function forgetDevices(tx: Queryable, userId: string): Promise<void> {
  await tx.query('delete from known_devices where user_id = $1', [userId]);
}
