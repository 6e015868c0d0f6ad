import type { Queryable } from './postgres.ts';

/**
 * Acquires or renews the lease `name` for `holder`, for `seconds` by the database's clock, and returns whether `holder`
 * has it. Unlike a session lock, a lease expires when its holder crashes, and needs no dedicated connection.
 */
export async function acquireLease(db: Queryable, name: string, holder: string, seconds: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'lease-take',
    text: `insert into leases (name, holder, expires_at) values ($1, $2, clock_timestamp() + make_interval(secs => $3))
      on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where leases.holder = excluded.holder or leases.expires_at <= clock_timestamp()`,
    values: [name, holder, seconds],
  });
  return rowCount === 1;
}

export async function releaseLease(db: Queryable, name: string, holder: string): Promise<void> {
  await db.query('delete from leases where name = $1 and holder = $2', [name, holder]);
}
