import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ephemeralContext } from '@atrium/dev-server/backing/launcher-context';
import { startBacking } from '@atrium/dev-server/backing/servers/start-backing';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { compareWithDirect } from './compare-with-direct.ts';
import { startPooler } from './start-pooler.ts';
import { workInSystem } from './work-in-system.ts';

// `npm run test:pgbouncer`: runs service test suites through PgBouncer in transaction mode.
const SUITES = [
  'services/auth/test/sessions.api.test.ts',
  'services/auth/test/accounts.api.test.ts',
  'services/meetings/test/series.api.test.ts',
  'services/meetings/test/meetings.api.test.ts',
];
/** Small, so that services always share connections. */
const POOL_SIZE = 4;
const ROLE = 'check_pooler';
const say = (line: string) => void process.stdout.write(`${line}\n`);

const words = process.argv.slice(2);
const context = ephemeralContext({ line: () => undefined, say: (name, text) => say(`${name}: ${text}`) });
const backing = await startBacking(context, ['postgres']);
try {
  const direct = new URL(backing.addresses.postgres?.url ?? '');
  const password = context.secrets.of('pooler');
  await queryDatabase(direct.href, `create role ${ROLE} superuser login password '${password}'`);
  const postgres = Object.assign(direct, { username: ROLE, password });
  const pooler = await startPooler(postgres, POOL_SIZE);
  try {
    say(`PgBouncer ${pooler.version}, ${POOL_SIZE} connections for each database`);
    for (const line of await compareWithDirect({ direct: postgres.href, pooled: pooler.url }, POOL_SIZE))
      say(`  ${line}`);
    await workInSystem({ POSTGRES_URL: pooler.url, POSTGRES_DIRECT_URL: postgres.href });
    say('  a complete Atrium creates people, projects, meetings, documents, and conversations');
    const test = fileURLToPath(new URL('../../packages/dev-server/test.ts', import.meta.url));
    const env = { ...process.env, POSTGRES_URL: pooler.url, POSTGRES_DIRECT_URL: postgres.href };
    const args = ['--disable-warning=ExperimentalWarning', test, ...(words.length > 0 ? words : SUITES)];
    const [code] = await once(spawn(process.execPath, args, { env, stdio: 'inherit' }), 'exit');
    process.exitCode = code ?? 1;
  } finally {
    await pooler.close();
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await backing.stop();
  await context.reaper.close();
  context.ports.release();
}
