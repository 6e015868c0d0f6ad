import type { Service } from '../installation/databases.ts';
import type { Installation } from '../installation/installation.ts';
import { connectAll, endAll } from './connections.ts';

/**
 * The services whose database has a schema. A service without one is newer than this installation and has never been started. Throws if such
 * a service has published events, because its rows must be in another database.
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
