import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { startBacking } from '@atrium/dev-server/backing/servers/start-backing';
import { ManagedProcess } from '@atrium/dev-server/process-manager/managed-process';
import { addressOf } from '@atrium/dev-server/system/settings';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { createWatchedContext } from '@atrium/test-kit/system/start-system';
import type { ChaosEnvironment } from '../chaos-environment.ts';
import type { Scenario } from '../scenario.ts';

const PROCESSES = 10;
const SERVICE = 'projects';
const POINT = 'between-migrations';
const DATABASE = 'projects_many_starts';

/** Ten processes of one service start concurrently on an empty database, and the first one that migrates it is killed. */
export const concurrentStarts: Scenario = {
  name: `${PROCESSES} processes start concurrently on an empty database, one is killed while it migrates`,
  // They take both cores.
  affected: ['gateway'],
  async cause(chaos) {
    const started = await prepareProcesses(chaos);
    try {
      await Promise.all(started.processes.map((part) => part.start()));
      await assertSchemaComplete(chaos, started);
    } finally {
      await started.close();
    }
    return async () => undefined;
  },
};

type StartedProcesses = { url: string; crashPointsDir: string; processes: ManagedProcess[]; close(): Promise<void> };

/** A separate database and NATS, so that the processes do not join the running installation. */
async function prepareProcesses({ cluster, box }: ChaosEnvironment): Promise<StartedProcesses> {
  const own = createWatchedContext().box;
  const backing = await startBacking(own, ['nats']);
  const env = cluster.envOf(SERVICE);
  const admin = addressOf(cluster.backing, 'postgres').url;
  await queryDatabase(admin, `create database ${DATABASE}`);
  const url = Object.assign(new URL(admin), { pathname: `/${DATABASE}` }).href;
  const crashPointsDir = join(box.home, 'crash-points', DATABASE);
  mkdirSync(crashPointsDir, { recursive: true });
  writeFileSync(join(crashPointsDir, POINT), '');
  const processes = await Promise.all(
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
            CRASH_POINTS_DIR: crashPointsDir,
          },
          answers: async () => {
            const { status } = await fetch(`http://127.0.0.1:${port}/readyz`);
            if (status !== 200) throw new Error(`/readyz returned ${status}`);
          },
          answersWithinMs: 60_000,
        },
        own,
      );
    }),
  );
  return {
    url,
    crashPointsDir,
    processes,
    async close() {
      await Promise.all(processes.map((part) => part.stop()));
      await backing.stop();
      await own.reaper.close();
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

/** One process died, and the schema equals one that was migrated without a crash. */
async function assertSchemaComplete(
  { stores }: ChaosEnvironment,
  { url, crashPointsDir }: StartedProcesses,
): Promise<void> {
  if (existsSync(join(crashPointsDir, POINT))) throw new Error(`No process reached ${POINT}`);
  const lines = (rows: Record<string, unknown>[]) => new Set(rows.map(({ line }) => String(line)));
  const [made, right] = [lines(await queryDatabase(url, SCHEMA)), lines(await stores.query(SERVICE, SCHEMA))];
  const unexpected = [...made, ...right].filter((line) => !made.has(line) || !right.has(line));
  if (unexpected.length > 0) throw new Error(`schema differs: ${unexpected.slice(0, 5).join('; ')}`);
}
