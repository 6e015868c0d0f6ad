import { PRODUCERS } from '@atrium/proto-events/nats-users';
import { connectMessaging, type Messaging } from '@atrium/service-kit/messaging/messaging';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { migrate } from '@atrium/service-kit/postgres/migrate';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { createStreams, testDatabase, testNats } from '@atrium/test-kit/backing-servers';
import { NOTES_MIGRATIONS } from './notes.ts';

export const quiet = createLogger('test', process.env.TEST_LOG_LEVEL ?? 'silent');

/** What one process of a service holds: its pool and its connection to NATS. */
export type Pod = {
  db: Db;
  messaging: Messaging;
  database: string;
  natsUrl: string;
  prefix: string;
  close(): Promise<void>;
};

/** What the operator's step of these tests creates. */
const notesStreams = { replicas: 1, producers: [...PRODUCERS, 'notes'] };

/** Creates the streams of these pods again, as an operator does on a NATS that came back empty. */
export const recreateStreams = ({ natsUrl, prefix }: Pick<Pod, 'natsUrl' | 'prefix'>): Promise<void> =>
  createStreams(natsUrl, { ...notesStreams, prefix });

/** As many processes of one service as a test needs, with one fresh, migrated database and one prefix on NATS. */
export async function openPods(count: number, natsUrl?: string): Promise<Pod[]> {
  const [database, shared] = await Promise.all([testDatabase('notes'), testNats()]);
  if (natsUrl !== undefined) await createStreams(natsUrl, { ...notesStreams, prefix: shared.prefix });
  const pods = await Promise.all(
    Array.from({ length: count }, () => openPod(database, natsUrl ?? shared.url, shared.prefix)),
  );
  await migrate(database, NOTES_MIGRATIONS);
  return pods;
}

/** One connection to NATS, to the shared server or to one of a test's own, which `open` closes. */
export async function connectNats(open: { close(): unknown }[], url?: string): Promise<Messaging> {
  const shared = await testNats();
  if (url !== undefined) await createStreams(url, { ...notesStreams, prefix: shared.prefix });
  const messaging = await connectMessaging({
    url: url ?? shared.url,
    prefix: shared.prefix,
    replicas: 1,
    name: 'test',
    log: quiet,
  });
  open.push(messaging.connection);
  return messaging;
}

async function openPod(database: string, url: string, prefix: string): Promise<Pod> {
  const db = createDb(database, 10, quiet);
  const messaging = await connectMessaging({ url, prefix, replicas: 1, name: 'test', log: quiet });
  return {
    db,
    messaging,
    database,
    natsUrl: url,
    prefix,
    async close() {
      await messaging.connection.close();
      await db.pool.end();
    },
  };
}
