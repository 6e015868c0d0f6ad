import type { Service } from '../installation/databases.ts';
import type { Installation } from '../installation/installation.ts';
import { connectAll, endAll } from './connections.ts';

/**
 * The services whose database has a schema. One without is newer than this place, and has never been started here: then nothing was published
 * to its stream, which is not among these. Throws a sentence where it has, for its rows must be somewhere else.
 */
export async function findBegun(place: Pick<Installation, 'databases' | 'prefix'>, streams: readonly string[]) {
  const clients = await connectAll(place);
  try {
    const begun: Service[] = [];
    for (const [service, client] of clients) {
      const { rows } = await client.query(`select where to_regclass('public.outbox') is not null`);
      if (rows.length > 0) begun.push(service);
      else if (streams.includes(`${place.prefix}_${service}`))
        throw new Error(
          `The database of ${service} has no schema. If this is the right one, let its migration run first, or start ${service} once.`,
        );
    }
    return begun;
  } finally {
    await endAll(clients);
  }
}
