import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { startBacking } from '@atrium/dev-server/backing/start-backing';
import { ManagedProcess } from '@atrium/dev-server/process-manager/managed-process';
import { addressOf } from '@atrium/dev-server/system/settings';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { openBox } from '@atrium/test-kit/system/start-system';
import type { World } from '../chaos-environment.ts';
import type { Scenario } from '../scenario.ts';

const PROCESSES = 10;
const SERVICE = 'projects';
const POINT = 'between-migrations';
const DATABASE = 'projects_many_starts';

/** Ten processes of one service start at once on an empty database, and the first that migrates it is killed. */
export const manyStarts: Scenario = {
  name: `${PROCESSES} processes start at once on an empty database, one is killed while it migrates`,
  // They take both cores.
  affected: ['gateway'],
  async cause(world) {
    const place = await connectInstallation(world);
    try {
      await Promise.all(place.parts.map((part) => part.start()));
      await judge(world, place);
    } finally {
      await place.close();
    }
    return async () => undefined;
  },
};

type Place = { url: string; crashFolder: string; parts: ManagedProcess[]; close(): Promise<void> };

/** An empty database beside the world's, and a NATS of their own, so that they are no pods of the world. */
async function connectInstallation({ cluster, box }: World): Promise<Place> {
  const own = openBox().box;
  const backing = await startBacking(own, ['nats']);
  const env = cluster.envOf(SERVICE);
  const admin = addressOf(cluster.backing, 'postgres').url;
  await queryDatabase(admin, `create database ${DATABASE}`);
  const url = Object.assign(new URL(admin), { pathname: `/${DATABASE}` }).href;
  const crashFolder = join(box.home, 'crash-points', DATABASE);
  mkdirSync(crashFolder, { recursive: true });
  writeFileSync(join(crashFolder, POINT), '');
  const parts = await Promise.all(
    Array.from({ length: PROCESSES }, async (_, number) => {
      const port = await own.ports.of(`many ${number}`);
      return new ManagedProcess(
        {
          name: `${SERVICE} of many ${number}`,
          file: process.execPath,
          args: ['--disable-warning=ExperimentalWarning', join(CHECKOUT, `services/${SERVICE}/src/main.ts`)],
          env: {
            ...env,
            PORT: String(port),
            DATABASE_URL: url,
            NATS_URL: addressOf(backing, 'nats').url,
            NATS_USER: '',
            NATS_PASSWORD: '',
            CRASH_POINTS_DIR: crashFolder,
          },
          answers: async () => {
            const { status } = await fetch(`http://127.0.0.1:${port}/readyz`);
            if (status !== 200) throw new Error(`it answers ${status}`);
          },
          answersWithinMs: 60_000,
        },
        own,
      );
    }),
  );
  return {
    url,
    crashFolder,
    parts,
    async close() {
      await Promise.all(parts.map((part) => part.stop()));
      await backing.stop();
      await own.guard.close();
      own.ports.release();
      await queryDatabase(admin, `drop database ${DATABASE} with (force)`);
    },
  };
}

const SCHEMA = `
  select table_name || '.' || column_name || ' ' || data_type as line from information_schema.columns where table_schema = 'public'
  union all select indexdef from pg_indexes where schemaname = 'public'
  union all select 'trigger ' || tgname from pg_trigger where not tgisinternal
  union all select 'invalid ' || indexrelid::regclass from pg_index where not indisvalid
  order by 1`;

/** One process died, and the schema is the same as without the crash. */
async function judge({ stores }: World, { url, crashFolder }: Place): Promise<void> {
  if (existsSync(join(crashFolder, POINT))) throw new Error(`No process reached ${POINT}`);
  const lines = (rows: Record<string, unknown>[]) => new Set(rows.map(({ line }) => String(line)));
  const [made, right] = [lines(await queryDatabase(url, SCHEMA)), lines(await stores.query(SERVICE, SCHEMA))];
  const odd = [...made, ...right].filter((line) => !made.has(line) || !right.has(line));
  if (odd.length > 0) throw new Error(`the schema is another: ${odd.slice(0, 5).join('; ')}`);
}
