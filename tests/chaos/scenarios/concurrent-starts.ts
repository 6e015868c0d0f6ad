import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { startBacking } from '@atrium/dev-server/backing/servers/start-backing';
import { ManagedProcess } from '@atrium/dev-server/process-manager/managed-process';
import { getAddress } from '@atrium/dev-server/system/settings';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { createWatchedContext } from '@atrium/test-kit/system/start-system';
import type { ChaosEnvironment } from '../chaos-environment.ts';
import type { Scenario } from '../scenario.ts';

const PROCESSES = 10;
const SERVICE = 'projects';
const POINT = 'between-migrations';
const DATABASE = 'projects_many_starts';

/**
 * Ten processes of one service start concurrently on an empty database, and the first one that migrates it is killed.
 */
export const concurrentStarts: Scenario = {
  name: `${PROCESSES} processes start concurrently on an empty database, one is killed while it migrates`,
  // The processes take both cores.
  affected: ['gateway'],
  async cause(chaos) {
    const prepared = await prepareProcesses(chaos);
    try {
      await Promise.all(prepared.processes.map((managedProcess) => managedProcess.start()));
      await assertSchemaComplete(chaos, prepared);
    } finally {
      await prepared.close();
    }
    return async () => undefined;
  },
};

type PreparedProcesses = { url: string; crashPointsDir: string; processes: ManagedProcess[]; close(): Promise<void> };

/** Prepares processes with a separate database and NATS, so that they do not join the running installation. */
async function prepareProcesses({ cluster, context: { home } }: ChaosEnvironment): Promise<PreparedProcesses> {
  const context = createWatchedContext().context;
  const backing = await startBacking(context, ['nats']);
  const env = cluster.envOf(SERVICE);
  const admin = getAddress(cluster.backing, 'postgres').url;
  await queryDatabase(admin, `create database ${DATABASE}`);
  const url = Object.assign(new URL(admin), { pathname: `/${DATABASE}` }).href;
  const crashPointsDir = join(home, 'crash-points', DATABASE);
  mkdirSync(crashPointsDir, { recursive: true });
  writeFileSync(join(crashPointsDir, POINT), '');
  const processes = await Promise.all(
    Array.from({ length: PROCESSES }, async (_, number) => {
      const port = await context.ports.reserve(`many ${number}`);
      return new ManagedProcess(
        {
          name: `${SERVICE} of many ${number}`,
          file: process.execPath,
          args: ['--disable-warning=ExperimentalWarning', join(CHECKOUT, `services/${SERVICE}/src/main.ts`)],
          env: {
            ...env,
            PORT: String(port),
            DATABASE_URL: url,
            NATS_URL: getAddress(backing, 'nats').url,
            NATS_USER: '',
            NATS_PASSWORD: '',
            CRASH_POINTS_DIR: crashPointsDir,
          },
          checkReady: async () => {
            const { status } = await fetch(`http://127.0.0.1:${port}/readyz`);
            if (status !== 200) throw new Error(`/readyz returned ${status}`);
          },
          readyTimeoutMs: 60_000,
        },
        context,
      );
    }),
  );
  return {
    url,
    crashPointsDir,
    processes,
    async close() {
      await Promise.all(processes.map((managedProcess) => managedProcess.stop()));
      await backing.stop();
      await context.reaper.close();
      context.ports.release();
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

/** Asserts that one process was killed and that the schema equals one that was migrated without a crash. */
async function assertSchemaComplete(
  { stores }: ChaosEnvironment,
  { url, crashPointsDir }: PreparedProcesses,
): Promise<void> {
  if (existsSync(join(crashPointsDir, POINT))) throw new Error(`No process reached ${POINT}`);
  const lines = (rows: Record<string, unknown>[]) => new Set(rows.map(({ line }) => String(line)));
  const actual = lines(await queryDatabase(url, SCHEMA));
  const expected = lines(await stores.query(SERVICE, SCHEMA));
  const differences = [...actual, ...expected].filter((line) => !actual.has(line) || !expected.has(line));
  if (differences.length > 0) throw new Error(`schema differs: ${differences.slice(0, 5).join('; ')}`);
}
