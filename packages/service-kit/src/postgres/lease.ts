import type { Queryable } from './postgres.ts';

/**
 * Takes the lease `name` for `holder` for so many seconds, or prolongs it; answers whether it is held. The clock is the database's.
 * Unlike a lock of a session it ends by itself when its holder dies without a word, and it needs no connection of its own.
 */
export async function takeLease(db: Queryable, name: string, holder: string, seconds: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'lease-take',
    text: `insert into leases (name, holder, expires_at) values ($1, $2, clock_timestamp() + make_interval(secs => $3))
      on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where leases.holder = excluded.holder or leases.expires_at <= clock_timestamp()`,
    values: [name, holder, seconds],
  });
  return rowCount === 1;
}

/** Lets the next one have it at once. */
export async function endLease(db: Queryable, name: string, holder: string): Promise<void> {
  await db.query('delete from leases where name = $1 and holder = $2', [name, holder]);
}
