import { PRODUCERS } from '@atrium/proto-events/nats-users';
import { connectMessaging, type Messaging } from '@atrium/service-kit/messaging/messaging';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { migrate } from '@atrium/service-kit/postgres/migrate';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { createStreams, testDatabase, testNats } from '@atrium/test-kit/backing-servers';
import { NOTES_MIGRATIONS } from './notes.ts';

export const quiet = createLogger('test', process.env.TEST_LOG_LEVEL ?? 'silent');

/** The resources of one process of a service: its pool and its connection to NATS. */
export type Pod = {
  db: Db;
  relayDb: Db;
  messaging: Messaging;
  database: string;
  natsUrl: string;
  prefix: string;
  close(): Promise<void>;
};

const notesStreams = { replicas: 1, producers: [...PRODUCERS, 'notes'] };

/** Recreates the streams of these pods, like an operator after NATS has lost its data. */
export const recreateStreams = ({ natsUrl, prefix }: Pick<Pod, 'natsUrl' | 'prefix'>): Promise<void> =>
  createStreams(natsUrl, { ...notesStreams, prefix });

/** Opens several processes of one service, with one fresh, migrated database and one NATS prefix. */
export async function openPods(count: number, natsUrl?: string): Promise<Pod[]> {
  const [database, sharedNats] = await Promise.all([testDatabase('notes'), testNats()]);
  if (natsUrl !== undefined) await createStreams(natsUrl, { ...notesStreams, prefix: sharedNats.prefix });
  const pods = await Promise.all(
    Array.from({ length: count }, () => openPod(database, natsUrl ?? sharedNats.url, sharedNats.prefix)),
  );
  await migrate(database, NOTES_MIGRATIONS);
  return pods;
}

/** Connects to the shared NATS server or a private one. Adds the connection to `resources`, which the test closes. */
export async function connectNats(resources: { close(): unknown }[], url?: string): Promise<Messaging> {
  const sharedNats = await testNats();
  if (url !== undefined) await createStreams(url, { ...notesStreams, prefix: sharedNats.prefix });
  const messaging = await connectMessaging({
    access: { servers: url ?? sharedNats.url },
    prefix: sharedNats.prefix,
    replicas: 1,
    name: 'test',
    log: quiet,
  });
  resources.push(messaging.connection);
  return messaging;
}

async function openPod(database: string, url: string, prefix: string): Promise<Pod> {
  const db = createDb(database, 10, quiet);
  const messaging = await connectMessaging({ access: { servers: url }, prefix, replicas: 1, name: 'test', log: quiet });
  return {
    db,
    relayDb: db,
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
