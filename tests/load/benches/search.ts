import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { buildUser } from '@atrium/test-kit/build-user';
import pg from 'pg';
import type { Figure } from '../figures.ts';
import type { LoadEnvironment } from '../load-environment.ts';
import { measureSearch } from '../search/measure-search.ts';
import {
  dropEntryIndexes,
  isSeeded,
  MESSAGES,
  seedConversations,
  seedMessages,
  type Viewer,
  viewerId,
} from '../search/seed-messages.ts';
import { measureSendingCost, sendSteadily } from '../search/send-messages.ts';

const BATCH_SIZE = 500_000;
const SENT_PER_SECOND = 50;
const VIEWERS: readonly Viewer[] = ['mixed', 'largest', 'smallest'];

/** Searches as users with 500 of 5,000 conversations, while messages arrive, and measures what that adds to sending. */
export async function benchSearch(environment: LoadEnvironment): Promise<Figure[]> {
  const viewers = VIEWERS.map((viewer) => buildUser({ _id: viewerId(viewer) }));
  await environment.fillDirectory('search', [...environment.users, ...viewers], []);
  const service = await environment.startService('chat', 'search');
  const db = createDb(environment.databaseUrl('search'), 4, createLogger('bench', 'silent'));
  try {
    await seedSearch(environment.databaseUrl('search'), environment.print);
    const figures: Figure[] = [];
    const sending = sendSteadily(db, SENT_PER_SECOND);
    for (const viewer of VIEWERS) {
      const token = await environment.tokenFor({ _id: viewerId(viewer), role: 'member' });
      figures.push(...(await measureSearch(db, { viewer, url: service.url, token, print: environment.print })));
    }
    sending.stop();
    const value = await measureSendingCost(db);
    const cost: Figure = {
      name: 'sending with the queue of searches, against without',
      value,
      unit: '×',
      limit: 1.1,
      sense: 'at most',
      detail: 'one connection',
    };
    return [...figures, cost];
  } finally {
    await db.pool.end();
    await service.stop();
  }
}

/** Seeds conversations and messages unless an earlier run has done so. */
export async function seedSearch(databaseUrl: string, print: (line: string) => void): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    if (await isSeeded(client)) {
      // What the earlier run sent.
      await client.query('delete from messages where seq > $1', [MESSAGES]);
      return;
    }
    await seedConversations(client);
    const indexes = await dropEntryIndexes(client);
    for (let first = 1; first <= MESSAGES; first += BATCH_SIZE) {
      await seedMessages(client, { first, last: Math.min(first + BATCH_SIZE - 1, MESSAGES) });
      print(`  ${Math.min(first + BATCH_SIZE - 1, MESSAGES)} messages`);
    }
    // Messages that are sent continue the numbers.
    await client.query('update conversations set last_seq = $1', [MESSAGES]);
    await client.query("set maintenance_work_mem = '4GB'");
    for (const definition of indexes) await client.query(definition);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}
