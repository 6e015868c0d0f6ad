import { setTimeout as pause } from 'node:timers/promises';
import { connectDatabase } from '@atrium/service-kit/postgres/connection';
import type pg from 'pg';
import { SERVICES, type Service } from '../installation/databases.ts';
import type { Installation } from '../installation/installation.ts';

/** How long a connection may take to end; where its server has gone without a word it would take minutes. */
const END_MS = 2_000;

/**
 * For a transaction that takes as long as it takes, on a line that may be silent for hours, and whose rows are in the time of UTC: the
 * server notices within half a minute when we are gone. All is `set local`, so that behind a pooler it is nobody else's.
 */
export const LASTING = `set local statement_timeout = 0; set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0; set local timezone = 'UTC';
  set local tcp_keepalives_idle = 10; set local tcp_keepalives_interval = 5; set local tcp_keepalives_count = 3`;

/** Ends a connection, and with it whatever it holds. Never throws. */
export async function endConnection(client: pg.Client): Promise<void> {
  await Promise.race([client.end().catch(() => undefined), pause(END_MS, undefined, { ref: false })]);
}

/** A connection to each database. */
export type Connections = ReadonlyMap<Service, pg.Client>;

export async function connectAll(
  { databases }: Pick<Installation, 'databases'>,
  services: readonly Service[] = SERVICES,
): Promise<Connections> {
  const clients = await Promise.allSettled(services.map((name) => connectDatabase(databases[name])));
  const failed = clients.findIndex(({ status }) => status === 'rejected');
  const open = clients.flatMap((client) => (client.status === 'fulfilled' ? [client.value] : []));
  if (failed === -1) return new Map(services.map((name, index) => [name, open[index] as pg.Client]));
  await Promise.all(open.map(endConnection));
  const { reason } = clients[failed] as PromiseRejectedResult;
  throw new Error(`The database of ${services[failed]} cannot be reached: ${reason.message}`, { cause: reason });
}

export async function endAll(clients: Connections): Promise<void> {
  await Promise.all([...clients.values()].map(endConnection));
}
