import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { databaseNames, databaseUrl } from '@atrium/dev-server/backing/servers/postgres-databases';
import { addressOf } from '@atrium/dev-server/system/settings';
import { findPendingWork } from '@atrium/test-kit/system/find-pending-work';
import { type Cluster, EVERY_PROCESS, startCluster } from '@atrium/test-kit/system/start-cluster';
import { openBox, type WatchedBox } from '@atrium/test-kit/system/start-system';
import { openStores } from '@atrium/test-kit/system/stores';
import { waitFor } from '@atrium/test-kit/wait-for';
import { askAt } from '../simulation/people.ts';
import { lookAround } from '../simulation/views.ts';
import { type OldTree, openTree, processesOf } from './previous-checkout.ts';
import { DUMPS, restoreDatabases, unpack, VIEWS, WORLDS, worlds } from './snapshots.ts';

/**
 * `npm run upgrade:snapshot [-- <commit>] [--by <commit>]`: freezes the demo of a commit, that of HEAD unless told, for the upgrades to come.
 * It needs the `pg_dump` of PostgreSQL's version, on the PATH or named by PG_DUMP. Of a world that there is it writes down what people see
 * in it, by the code of another commit where its own cannot be started any more.
 */
const { values, positionals } = parseArgs({ options: { by: { type: 'string' } }, allowPositionals: true });
const MOST_BYTES = 5 * 1024 * 1024;
const commit = execFileSync('git', ['rev-parse', '--short=7', positionals[0] ?? 'HEAD'], {
  cwd: CHECKOUT,
  encoding: 'utf8',
}).trim();
const isKnown = worlds.includes(commit);
const tree = openTree(values.by ?? commit);
const watched = openBox({
  env: { ALLOW_PAST_MEETINGS: 'true', RATE_LIMIT_PER_IP: '100000', RATE_LIMIT_SIGN_IN: '100000' },
  ...(isKnown && { furnish: unpack(commit) }),
});
const folder = mkdtempSync(join(tmpdir(), 'atrium-world-'));
try {
  if (isKnown) {
    unpack(commit)(folder);
    await restoreDatabases(watched.box);
  }
  const cluster = await startCluster(watched);
  await Promise.all(processesOf(tree).map((name) => cluster.addPod(name, { root: tree.root, title: commit })));
  if (!isKnown) await fill(cluster, tree);
  await settle(cluster, watched);
  const views = await lookAround(askAt({ tokensFrom: cluster.url, url: cluster.url }));
  writeFileSync(join(folder, VIEWS), JSON.stringify(views));
  if (isKnown) await cluster.stop();
  else await freeze(cluster, watched);
  pack();
} finally {
  await watched.box.guard.close();
  watched.box.ports.release();
  tree.remove();
  rmSync(folder, { recursive: true, force: true });
}

/** By the demo of that commit, through its API. */
async function fill({ url }: Cluster, { root }: OldTree): Promise<void> {
  // It has moved since.
  const places = ['tools/demo/demo.ts', 'packages/dev-server/demo/demo.ts'].map((place) => join(root, place));
  const place = places.find(existsSync) ?? '';
  const demo = (await import(pathToFileURL(place).href)) as {
    runDemo(options: { baseUrl: string; say(line: string): void }): Promise<void>;
  };
  await demo.runDemo({ baseUrl: url, say: (line) => console.log(line) });
}

async function settle(cluster: Cluster, { box }: WatchedBox): Promise<void> {
  const stores = await openStores(cluster, box);
  await waitFor(async () => (await findPendingWork(stores)).length === 0, {
    what: 'everything to be done',
    timeoutMs: 120_000,
  });
  await stores.close();
}

/** Takes the databases out while they run, and the folders of the other servers once nobody writes there. */
async function freeze(cluster: Cluster, { box }: WatchedBox): Promise<void> {
  for (const name of EVERY_PROCESS) for (const pod of [...cluster.pods(name)]) await pod.part.stop();
  mkdirSync(join(folder, DUMPS));
  const postgres = addressOf(cluster.backing, 'postgres');
  for (const database of databaseNames) {
    const how = [
      '--no-owner',
      '--no-privileges',
      '--inserts',
      '--dbname',
      databaseUrl(postgres, database, box.secrets),
    ];
    const sql = execFileSync(process.env.PG_DUMP ?? 'pg_dump', how, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
    // Words to psql alone.
    const lines = sql.split('\n').filter((line) => !/^\\(un)?restrict /.test(line));
    writeFileSync(join(folder, DUMPS, `${database}.sql`), lines.join('\n'));
  }
  await cluster.stop();
  for (const place of ['nats/jetstream', 'objects', 'secrets.json'])
    cpSync(join(box.home, place), join(folder, place), { recursive: true });
  writeFileSync(
    join(folder, 'README.txt'),
    `The demo of Atrium at commit ${commit}, made by \`npm run upgrade:snapshot\`: the launcher's folder after a clean stop, PostgreSQL's databases\n(FerretDB's among them) as plain SQL by pg_dump, and what people saw then in ${VIEWS}.\n`,
  );
}

function pack(): void {
  const archive = join(WORLDS, `${commit}.tar.gz`);
  execFileSync('tar', ['-C', folder, '--sort=name', '--owner=0', '--group=0', '-czf', archive, '.']);
  const bytes = statSync(archive).size;
  if (bytes > MOST_BYTES) throw new Error(`The world has ${bytes} bytes, and may have ${MOST_BYTES}`);
  if (!isKnown) writeFileSync(join(WORLDS, 'worlds.json'), `${JSON.stringify([...worlds, commit])}\n`);
  console.log(`${archive}: ${Math.round(bytes / 1024)} KB`);
}
