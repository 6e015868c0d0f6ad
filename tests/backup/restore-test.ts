import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { createWatchedContext, type System, type WatchedContext } from '@atrium/test-kit/system/start-system';
import { openStores } from '@atrium/test-kit/system/stores';
import { waitUntilIdle } from '@atrium/test-kit/system/wait-until-idle';
import type { BaseLauncherContext } from '@atrium/tools/backup/installation/backing-installation';
import { listBackups, readManifest } from '@atrium/tools/backup/manifest';
import { DEMO_PASSWORD, demoEmail } from '@atrium/tools/demo/people';
import { captureViews, createFetchAs } from '@atrium/tools/upgrade-snapshot/views';
import type { ReportResult } from '../simulation/failure-collector.ts';
import { findLostWrites } from '../simulation/verify.ts';
import { describeFailures, startWorkload } from '../simulation/workload.ts';
import { HIGH_LIMITS } from '../workspace/builders.ts';
import { expectStatus, signInClient } from '../workspace/workspace.ts';
import { compare, type SnapshotState } from './compare.ts';
import { createWriteHistory, type WriteHistory } from './history.ts';
import { backupEnvironmentOf, createSecondContext, startIn, withStores } from './installations.ts';
import { runBackup } from './program.ts';

export type Source = {
  /** Copies the data of an earlier run into the data folder. */
  copyData?: (dataDir: string) => void;
  /** Fills the databases before anything starts. */
  prepare?: (context: BaseLauncherContext) => Promise<void>;
  /** Fills the system once it has started. */
  fill?: (system: System) => Promise<void>;
  /** Additional environment variables of the processes. */
  env?: Record<string, string>;
  /** Whether the streams contain an event for every existing row. */
  hasAllEvents: boolean;
};

export type RestoreTestOptions = Source & {
  /** The folder for the backups. */
  to: string;
  /** How long users work before the backup, and after it. */
  workMs: number;
  print: (line: string) => void;
};

/**
 * Backs up an installation while ten users work, restores it into an empty one, and compares the result with the writes
 * that were acknowledged before the snapshot.
 */
export async function runRestoreTest(options: RestoreTestOptions, report: ReportResult): Promise<void> {
  const { copyData, prepare, fill, hasAllEvents, to, print } = options;
  const env = { ...HIGH_LIMITS, ...options.env };
  const first = createWatchedContext({ env, ...(copyData && { prepareDataDir: copyData }) });
  await prepare?.(first.context);
  const expected = await withSystem(
    startIn(first, { checkPublished: hasAllEvents }),
    'the first installation',
    report,
    async (system) => {
      await fill?.(system);
      return workAndBackUp(system, first.context, options, report);
    },
  );
  const second = createSecondContext(first.context, env);
  await withStores(second.context, async (stores) => {
    await assertInvalidBackupsRejected(stores, to, report);
    print(await runBackup(stores, 'restore', '--from', to));
    report(
      'a second restore into the same installation is rejected',
      await checkRejection(stores, to, 'needs an empty installation'),
    );
  });
  await restoreWithoutSessions(createSecondContext(first.context, env), to, report);
  await withSystem(
    startIn(second, { checkPublished: hasAllEvents }),
    'the second installation',
    report,
    async (system) => {
      await waitUntilSettled(system, second.context);
      await compare(system, expected, report);
      await workAfterRestore(system, report);
    },
  );
}

/** Runs `work` on a system and stops it, even if `work` fails; asserts that it stops cleanly. */
export async function withSystem<T>(
  starting: Promise<System>,
  name: string,
  report: ReportResult,
  work: (system: System) => Promise<T>,
): Promise<T> {
  const system = await starting;
  let isWorkDone = false;
  try {
    const result = await work(system);
    isWorkDone = true;
    return result;
  } finally {
    const errors = await system.stop().then(
      () => [],
      (error: Error) => [error.message],
    );
    if (isWorkDone) report(`${name} stops cleanly`, errors);
  }
}

/** Checks that incomplete backups and wrong secrets are rejected before anything is written. */
async function assertInvalidBackupsRejected(env: NodeJS.ProcessEnv, to: string, report: ReportResult): Promise<void> {
  const [name = ''] = (await listBackups(to)).map((backup) => backup.name);
  const copy = mkdtempSync(join(tmpdir(), 'atrium-damaged-'));
  try {
    cpSync(join(to, name), copy, { recursive: true });
    const assertRejected = async (label: string, expectedMessage: string, changes: NodeJS.ProcessEnv = {}) =>
      report(`${label} is rejected`, await checkRejection({ ...env, ...changes }, copy, expectedMessage));
    await assertRejected('a different KEY_ENCRYPTION_SECRET', 'does not decrypt the signing keys', {
      KEY_ENCRYPTION_SECRET: 'a secret that was never in use',
    });
    const file = join(copy, 'mongo/notifications.jsonl.gz');
    writeFileSync(file, gzipSync(gunzipSync(readFileSync(file)).toString().replace('"read"', '"raed"')));
    await assertRejected('a changed file', 'The SHA-256 of mongo/notifications.jsonl.gz does not match');
    rmSync(join(copy, 'postgres/users/users.copy.gz'));
    await assertRejected('a missing file', 'Failed to read postgres/users/users.copy.gz');
    rmSync(join(copy, 'manifest.json'));
    await assertRejected('an incomplete backup', 'not a complete backup');
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** `--end-sessions` needs no previous secret, because it removes everything that the secret would decrypt. */
async function restoreWithoutSessions({ context }: WatchedContext, to: string, report: ReportResult): Promise<void> {
  await withStores(context, async ({ KEY_ENCRYPTION_SECRET: _, ...stores }) => {
    await runBackup(stores, 'restore', '--from', to, '--end-sessions');
    const count = (rows: string, name = rows) => `(select count(*)::int from ${rows}) as ${name}`;
    const countUsable = (table: string, usedColumn: string) =>
      count(`${table} where ${usedColumn} is null and expires_at > now()`, table);
    const counts = [
      ...['accounts', 'sessions', 'signing_keys'].map((table) => count(table)),
      countUsable('invitations', 'accepted_at'),
      countUsable('password_resets', 'used_at'),
    ];
    const [remaining] = await queryDatabase(stores.AUTH_DATABASE_URL ?? '', `select ${counts.join(', ')}`);
    const { accounts, ...tokens } = remaining ?? {};
    report('with --end-sessions, accounts exist without sessions, keys, or usable links', [
      ...(Number(accounts) > 10 ? [] : [`${accounts} accounts`]),
      ...Object.entries(tokens).flatMap(([table, rows]) => (rows === 0 ? [] : [`${rows} rows in ${table}`])),
    ]);
  });
  await context.reaper.close();
  context.ports.release();
}

const checkRejection = (env: NodeJS.ProcessEnv, from: string, expectedMessage: string): Promise<string[]> =>
  runBackup(env, 'restore', '--from', from).then(
    () => ['it was accepted'],
    (error: Error) => (error.message.includes(expectedMessage) ? [] : [error.message]),
  );

async function waitUntilSettled(system: System, context: BaseLauncherContext): Promise<void> {
  const stores = await openStores(system, context);
  try {
    await waitUntilIdle(stores);
  } finally {
    await stores.close();
  }
}

async function workAndBackUp(
  system: System,
  context: BaseLauncherContext,
  { to, workMs, print }: RestoreTestOptions,
  report: ReportResult,
): Promise<SnapshotState> {
  const { url } = system;
  await waitUntilSettled(system, context);
  const [maya, jonas, lena] = await Promise.all(
    ['maya', 'jonas', 'lena'].map((name) => signInClient(url, demoEmail(name), DEMO_PASSWORD)),
  );
  if (!maya || !jonas || !lena) throw new Error('Missing demo users');
  await expectStatus(lena.call('POST', '/notifications/read', { all: true }), 200);
  const views = await captureViews(createFetchAs({ tokensFrom: url, url }));
  const history = createWriteHistory();
  const work = await startWorkload(url, history);
  // An email is queued at the snapshot and sent after it.
  await system.stopBacking('mailbox');
  const invitedEmail = demoEmail(`waits-${Date.now()}`);
  const invitation = { email: invitedEmail, firstName: 'Wai', lastName: 'Ting', role: 'member' };
  await expectStatus(maya.call('POST', '/auth/invite', invitation), 201);
  await delay(workMs);
  await work.performEveryWrite();
  const startedAt = performance.now();
  print(await runBackup(backupEnvironmentOf(system.backing, context), 'backup', '--to', to));
  const endedAt = performance.now();
  // Marks notifications as read after the snapshot, so they are unread in the restored installation.
  await expectStatus(jonas.call('POST', '/notifications/read', { all: true }), 200);
  await system.startBacking('mailbox');
  await delay(workMs);
  await work.performEveryWrite();
  await work.pause();
  const folder = (await runBackup({}, 'backup', '--verify', to)).split(' ')[0] ?? '';
  const manifest = await readManifest(folder);
  report('no call failed during the backup', describeFailures(history, 0));
  print(describeWrites(history, startedAt, endedAt));
  return { manifest, history, work, views, lena, invitedEmail };
}

function describeWrites(history: WriteHistory, from: number, to: number): string {
  const writes = history.callsSince(0).filter(({ call }) => !call.startsWith('GET') && !call.includes('login'));
  const p99 = (subset: typeof writes) => {
    const durations = subset.map(({ ms }) => ms).sort((a, b) => a - b);
    return `${(durations[Math.floor(durations.length * 0.99)] ?? 0).toFixed(0)} ms of ${durations.length}`;
  };
  const duringBackup = writes.filter(({ startedAt, at }) => at >= from && startedAt <= to);
  return `writes, p99: ${p99(duringBackup)} during the backup, ${p99(writes.filter((write) => !duringBackup.includes(write)))} before and after it`;
}

/** Asserts that every kind of write works and takes effect. */
async function workAfterRestore({ url }: System, report: ReportResult): Promise<void> {
  const history = createWriteHistory();
  const work = await startWorkload(url, history, { invites: true });
  await work.performEveryWrite();
  await work.pause();
  report('no call failed in the second installation', describeFailures(history, 0));
  for (const [kind, { acknowledged, lost }] of Object.entries(await findLostWrites(url, work.fixture, history)))
    report(`${acknowledged} writes of kind ${kind} acknowledged after the restore exist`, lost.slice(0, 5));
}
