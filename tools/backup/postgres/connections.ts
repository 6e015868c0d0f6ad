import { setTimeout as delay } from 'node:timers/promises';
import { connectDatabase } from '@atrium/service-kit/postgres/migrate';
import type pg from 'pg';
import { SERVICES, type Service } from '../installation/databases.ts';
import type { Installation } from '../installation/installation.ts';

const END_TIMEOUT_MS = 2_000;

/**
 * Settings for a transaction that lasts hours on an idle connection, with timestamps in UTC. The server notices within
 * half a minute if this process disappears. All settings are `set local`, so they do not leak to other clients of a
 * connection pooler.
 */
export const LONG_TRANSACTION = `set local statement_timeout = 0; set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0; set local timezone = 'UTC';
  set local tcp_keepalives_idle = 10; set local tcp_keepalives_interval = 5; set local tcp_keepalives_count = 3`;

export async function endConnection(client: pg.Client): Promise<void> {
  await Promise.race([client.end().catch(() => undefined), delay(END_TIMEOUT_MS, undefined, { ref: false })]);
}

export type Connections = ReadonlyMap<Service, pg.Client>;

export async function connectAll(
  { databases }: Pick<Installation, 'databases'>,
  services: readonly Service[] = SERVICES,
): Promise<Connections> {
  const clients = await Promise.allSettled(services.map((name) => connectDatabase(databases[name])));
  const failedIndex = clients.findIndex(({ status }) => status === 'rejected');
  const open = clients.flatMap((client) => (client.status === 'fulfilled' ? [client.value] : []));
  if (failedIndex === -1) return new Map(services.map((name, index) => [name, open[index] as pg.Client]));
  await Promise.all(open.map(endConnection));
  const { reason } = clients[failedIndex] as PromiseRejectedResult;
  throw new Error(`Failed to connect to the database of ${services[failedIndex]}: ${reason.message}`, {
    cause: reason,
  });
}

export async function endAll(clients: Connections): Promise<void> {
  await Promise.all([...clients.values()].map(endConnection));
}

/**
 * Returns the services whose database has a schema; the others are newer than this installation and were never started.
 * Throws if one of those has published events, because its rows must be in a different database.
 */
export async function findInitializedServices(
  installation: Pick<Installation, 'databases' | 'prefix'>,
  streams: readonly string[],
) {
  const clients = await connectAll(installation);
  try {
    const initialized: Service[] = [];
    for (const [service, client] of clients) {
      const { rows } = await client.query(`select where to_regclass('public.outbox') is not null`);
      if (rows.length > 0) initialized.push(service);
      else if (streams.includes(`${installation.prefix}_${service}`))
        throw new Error(
          `The database of ${service} has no schema. If it is the right database, run its migration or start ${service} once.`,
        );
    }
    return initialized;
  } finally {
    await endAll(clients);
  }
}
