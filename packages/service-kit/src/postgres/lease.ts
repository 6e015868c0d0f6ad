import type { Queryable } from './postgres.ts';

/**
 * Acquires or renews the lease `name` for `holder`, in seconds by the database's clock; returns whether it is held.
 * Unlike a session lock it expires when its holder crashes, and it needs no dedicated connection.
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

export async function endLease(db: Queryable, name: string, holder: string): Promise<void> {
  await db.query('delete from leases where name = $1 and holder = $2', [name, holder]);
}
