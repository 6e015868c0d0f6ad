import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { findPendingWork } from '@atrium/test-kit/system/find-pending-work';
import { openBox, type System, type WatchedBox } from '@atrium/test-kit/system/start-system';
import { openStores } from '@atrium/test-kit/system/stores';
import { waitFor } from '@atrium/test-kit/wait-for';
import type { Box } from '@atrium/tools/backup/installation/backing-installation';
import { listBackups, readManifest } from '@atrium/tools/backup/manifest';
import { demand, signedIn } from '../flows/workspace.ts';
import type { Judge } from '../simulation/judge.ts';
import { askAt } from '../simulation/people.ts';
import { findLost } from '../simulation/verify.ts';
import { emailOf, lookAround, PASSWORD } from '../simulation/views.ts';
import { faultsIn, startWork } from '../simulation/work.ts';
import { compare, type Known } from './compare.ts';
import { type History, openHistory } from './history.ts';
import { environmentOf, openSecondBox, startIn, withStores } from './installations.ts';
import { runBackup } from './program.ts';

// So many people and calls come from one address here.
const PLENTY = { RATE_LIMIT_PER_USER: '100000', RATE_LIMIT_PER_IP: '100000', RATE_LIMIT_SIGN_IN: '100000' };

export type Source = {
  /** Puts an earlier start's data into the home. */
  furnish?: (home: string) => void;
  /** Fills the databases before anything starts. */
  prepare?: (box: Box) => Promise<void>;
  /** Fills the system once it has started. */
  fill?: (system: System) => Promise<void>;
  /** Further variables for the processes. */
  env?: Record<string, string>;
  /** Whether all that is there was told in the streams that are there. */
  isTold: boolean;
};

export type Drill = Source & {
  /** A folder for the backups. */
  to: string;
  /** How long people work before the backup, and after it. */
  workMs: number;
  say: (line: string) => void;
};

/** Backs an Atrium up while ten people work, restores that into an empty one, and holds it against what they had been told by then. */
export async function drill(options: Drill, judge: Judge): Promise<void> {
  const { furnish, prepare, fill, isTold, to, say } = options;
  const env = { ...PLENTY, ...options.env };
  const first = openBox({ env, ...(furnish && { furnish }) });
  await prepare?.(first.box);
  const known = await during(startIn(first, { isTold }), 'the first one', judge, async (system) => {
    await fill?.(system);
    return workAndBackUp(system, first.box, options, judge);
  });
  const second = openSecondBox(first.box, env);
  await withStores(second.box, async (stores) => {
    await tryRefusals(stores, to, judge);
    say(await runBackup(stores, 'restore', '--from', to));
    judge('a second restore into the same place is refused', await refusalOf(stores, to, 'needs an empty place'));
  });
  await restoreWithoutSessions(openSecondBox(first.box, env), to, judge);
  await during(startIn(second, { isTold }), 'the second one', judge, async (system) => {
    await settle(system, second.box);
    await compare(system, known, judge);
    await workAgain(system, judge);
  });
}

/** Does something with a system, which must end well; it ends also where that fails. */
export async function during<T>(
  starting: Promise<System>,
  what: string,
  judge: Judge,
  work: (system: System) => Promise<T>,
): Promise<T> {
  const system = await starting;
  let isDone = false;
  try {
    const result = await work(system);
    isDone = true;
    return result;
  } finally {
    const faults = await system.stop().then(
      () => [],
      (error: Error) => [error.message],
    );
    if (isDone) judge(`${what} ends well`, faults);
  }
}

/** What is no whole backup, or cannot be honoured, is refused before anything is written. */
async function tryRefusals(env: NodeJS.ProcessEnv, to: string, judge: Judge): Promise<void> {
  const [name = ''] = (await listBackups(to)).map((backup) => backup.name);
  const copy = mkdtempSync(join(tmpdir(), 'atrium-damaged-'));
  try {
    cpSync(join(to, name), copy, { recursive: true });
    const refused = async (why: string, words: string, changes: NodeJS.ProcessEnv = {}) =>
      judge(`${why} is refused`, await refusalOf({ ...env, ...changes }, copy, words));
    await refused('another KEY_ENCRYPTION_SECRET', 'does not open the signing keys', {
      KEY_ENCRYPTION_SECRET: 'a secret that nobody had before',
    });
    const file = join(copy, 'mongo/notifications.jsonl.gz');
    writeFileSync(file, gzipSync(gunzipSync(readFileSync(file)).toString().replace('"read"', '"raed"')));
    await refused('a file that was changed', 'mongo/notifications.jsonl.gz has another SHA-256');
    rmSync(join(copy, 'postgres/users/users.copy.gz'));
    await refused('one that lacks a file', 'postgres/users/users.copy.gz cannot be read');
    rmSync(join(copy, 'manifest.json'));
    await refused('one that was broken off', 'broken off');
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Whoever ends all sessions needs no secret of before: nothing is left that it would open. */
export async function restoreWithoutSessions({ box }: WatchedBox, to: string, judge: Judge): Promise<void> {
  await withStores(box, async ({ KEY_ENCRYPTION_SECRET: _, ...stores }) => {
    await runBackup(stores, 'restore', '--from', to, '--end-sessions');
    const count = (rows: string, name = rows) => `(select count(*)::int from ${rows}) as ${name}`;
    const links = (table: string, used: string) =>
      count(`${table} where ${used} is null and expires_at > now()`, table);
    const counts = [
      ...['accounts', 'sessions', 'signing_keys'].map((table) => count(table)),
      ...[links('invitations', 'accepted_at'), links('password_resets', 'used_at')],
    ];
    const [left] = await queryDatabase(stores.AUTH_DATABASE_URL ?? '', `select ${counts.join(', ')}`);
    const { accounts, ...tokens } = left ?? {};
    judge('with --end-sessions accounts are there, and nothing by which somebody is let in', [
      ...(Number(accounts) > 10 ? [] : [`${accounts} accounts`]),
      ...Object.entries(tokens).flatMap(([table, rows]) => (rows === 0 ? [] : [`${rows} rows in ${table}`])),
    ]);
  });
  await box.guard.close();
  box.ports.release();
}

const refusalOf = (env: NodeJS.ProcessEnv, from: string, words: string): Promise<string[]> =>
  runBackup(env, 'restore', '--from', from).then(
    () => ['it was not'],
    (error: Error) => (error.message.includes(words) ? [] : [error.message]),
  );

async function settle(system: System, box: Box): Promise<void> {
  const stores = await openStores(system, box);
  try {
    await waitFor(async () => (await findPendingWork(stores)).length === 0, {
      what: 'everything to be done',
      timeoutMs: 60_000,
      everyMs: 100,
    });
  } finally {
    await stores.close();
  }
}

async function workAndBackUp(system: System, box: Box, { to, workMs, say }: Drill, judge: Judge): Promise<Known> {
  const { url } = system;
  await settle(system, box);
  const [maya, jonas, lena] = await Promise.all(
    ['maya', 'jonas', 'lena'].map((who) => signedIn(url, emailOf(who), PASSWORD)),
  );
  if (!maya || !jonas || !lena) throw new Error('Nobody is there');
  await demand(lena.call('POST', '/notifications/read', { until: new Date().toISOString() }), 200);
  const views = await lookAround(askAt({ tokensFrom: url, url }));
  const history = openHistory();
  const work = await startWork(url, history);
  // A mail waits at the cut, and leaves after it.
  await system.stopBacking('mailbox');
  const invited = emailOf(`waits-${Date.now()}`);
  const invitation = { email: invited, firstName: 'Wai', lastName: 'Ting', role: 'member' };
  await demand(maya.call('POST', '/auth/invite', invitation), 201);
  await pause(workMs);
  await work.writeOfEveryKind();
  const began = performance.now();
  say(await runBackup(environmentOf(system.backing, box), 'backup', '--to', to));
  const ended = performance.now();
  // What is read after the cut was not read in what is restored.
  await demand(jonas.call('POST', '/notifications/read', { until: new Date().toISOString() }), 200);
  await system.startBacking('mailbox');
  await pause(workMs);
  await work.writeOfEveryKind();
  await work.rest();
  const folder = (await runBackup({}, 'backup', '--verify', to)).split(' ')[0] ?? '';
  const manifest = await readManifest(folder);
  judge('no call failed while it was made', faultsIn(history, 0));
  say(describeWrites(history, began, ended));
  return { manifest, history, work, views, lena, invited };
}

function describeWrites(history: History, from: number, to: number): string {
  const writes = history.since(0).filter(({ call }) => !call.startsWith('GET') && !call.includes('login'));
  const p99 = (some: typeof writes) => {
    const times = some.map(({ ms }) => ms).sort((one, other) => one - other);
    return `${(times[Math.floor(times.length * 0.99)] ?? 0).toFixed(0)} ms of ${times.length}`;
  };
  const meanwhile = writes.filter(({ began, at }) => at >= from && began <= to);
  return `writes, p99: ${p99(meanwhile)} during the backup, ${p99(writes.filter((write) => !meanwhile.includes(write)))} before and after it`;
}

/** It is no museum: every kind of write works, and what follows from it. */
async function workAgain({ url }: System, judge: Judge): Promise<void> {
  const history = openHistory();
  const work = await startWork(url, history, { invites: true });
  await work.writeOfEveryKind();
  await work.rest();
  judge('no call failed in the second one', faultsIn(history, 0));
  for (const [kind, { acknowledged, lost }] of Object.entries(await findLost(url, work.site, history)))
    judge(`${acknowledged} acknowledged there of kind ${kind} are there`, lost.slice(0, 5));
}
