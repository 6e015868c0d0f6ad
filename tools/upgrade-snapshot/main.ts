import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { databaseNames, databaseUrl } from '@atrium/dev-server/backing/servers/postgres-databases';
import { getAddress } from '@atrium/dev-server/system/settings';
import { type Cluster, PROCESS_NAMES, startCluster } from '@atrium/test-kit/system/start-cluster';
import { createWatchedContext, type WatchedContext } from '@atrium/test-kit/system/start-system';
import { openStores } from '@atrium/test-kit/system/stores';
import { waitUntilIdle } from '@atrium/test-kit/system/wait-until-idle';
import { listProcesses, openPreviousCheckout, type PreviousCheckout } from './previous-checkout.ts';
import { DUMPS, restoreDatabases, SNAPSHOTS_DIR, snapshots, unpack, VIEWS } from './snapshots.ts';
import { captureViews, createFetchAs } from './views.ts';

/**
 * `npm run upgrade:snapshot [-- <commit>] [--by <commit>]` saves the demo workspace of a commit (default HEAD) as a
 * fixture for upgrade tests. It requires `pg_dump` of PostgreSQL's version, on the PATH or in PG_DUMP. For an existing
 * snapshot, it records the views of users, with the code of the commit in `--by` if its own code no longer starts.
 */
const { values, positionals } = parseArgs({ options: { by: { type: 'string' } }, allowPositionals: true });
const MAX_ARCHIVE_BYTES = 5 * 1024 * 1024;
const commit = execFileSync('git', ['rev-parse', '--short=7', positionals[0] ?? 'HEAD'], {
  cwd: CHECKOUT,
  encoding: 'utf8',
}).trim();
const isKnown = snapshots.includes(commit);
const tree = openPreviousCheckout(values.by ?? commit);
const watched = createWatchedContext({
  env: { ALLOW_PAST_MEETINGS: 'true', RATE_LIMIT_PER_IP: '100000', RATE_LIMIT_SIGN_IN: '100000' },
  ...(isKnown && { prepareDataDir: unpack(commit) }),
});
const folder = mkdtempSync(join(tmpdir(), 'atrium-snapshot-'));
try {
  if (isKnown) {
    unpack(commit)(folder);
    await restoreDatabases(watched.context);
  }
  const cluster = await startCluster(watched);
  await Promise.all(listProcesses(tree).map((name) => cluster.addPod(name, { root: tree.root, title: commit })));
  if (!isKnown) await fillDemo(cluster, tree);
  await settle(cluster, watched);
  const views = await captureViews(createFetchAs({ tokensFrom: cluster.url, url: cluster.url }));
  writeFileSync(join(folder, VIEWS), JSON.stringify(views));
  if (isKnown) await cluster.stop();
  else await saveStores(cluster, watched);
  pack();
} finally {
  await watched.context.reaper.close();
  watched.context.ports.release();
  tree.remove();
  rmSync(folder, { recursive: true, force: true });
}

async function fillDemo({ url }: Cluster, { root }: PreviousCheckout): Promise<void> {
  const demo = (await import(pathToFileURL(join(root, 'tools/demo/demo.ts')).href)) as {
    runDemo(options: { baseUrl: string; print(line: string): void }): Promise<void>;
  };
  await demo.runDemo({ baseUrl: url, print: console.log });
}

async function settle(cluster: Cluster, { context }: WatchedContext): Promise<void> {
  const stores = await openStores(cluster, context);
  await waitUntilIdle(stores, { timeoutMs: 120_000 });
  await stores.close();
}

/** Dumps the databases while they run, and copies the folders of other servers after they have stopped. */
async function saveStores(cluster: Cluster, { context }: WatchedContext): Promise<void> {
  for (const name of PROCESS_NAMES) for (const pod of [...cluster.pods(name)]) await pod.process.stop();
  mkdirSync(join(folder, DUMPS));
  const postgres = getAddress(cluster.backing, 'postgres');
  for (const database of databaseNames) {
    const args = [
      '--no-owner',
      '--no-privileges',
      '--inserts',
      '--dbname',
      databaseUrl(postgres, database, context.secrets),
    ];
    const sql = execFileSync(process.env.PG_DUMP ?? 'pg_dump', args, {
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    });
    // The client cannot run psql meta-commands.
    const lines = sql.split('\n').filter((line) => !/^\\(un)?restrict /.test(line));
    writeFileSync(join(folder, DUMPS, `${database}.sql`), lines.join('\n'));
  }
  await cluster.stop();
  for (const path of ['nats/jetstream', 'objects', 'secrets.json'])
    cpSync(join(context.home, path), join(folder, path), { recursive: true });
  writeFileSync(
    join(folder, 'README.txt'),
    `The demo of Atrium at commit ${commit}, created by \`npm run upgrade:snapshot\`: the launcher's folder after a clean stop, PostgreSQL's databases\n(including FerretDB's) as plain SQL from pg_dump, and the lists that users saw, in ${VIEWS}.\n`,
  );
}

function pack(): void {
  const archive = join(SNAPSHOTS_DIR, `${commit}.tar.gz`);
  execFileSync('tar', ['-C', folder, '--sort=name', '--owner=0', '--group=0', '-czf', archive, '.']);
  const bytes = statSync(archive).size;
  if (bytes > MAX_ARCHIVE_BYTES)
    throw new Error(`The snapshot has ${bytes} bytes; at most ${MAX_ARCHIVE_BYTES} are allowed`);
  if (!isKnown) writeFileSync(join(SNAPSHOTS_DIR, 'snapshots.json'), `${JSON.stringify([...snapshots, commit])}\n`);
  console.log(`${archive}: ${Math.round(bytes / 1024)} KB`);
}
