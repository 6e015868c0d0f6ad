import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { subjectOf } from '@atrium/proto-events/event';
import { connectMessaging } from '@atrium/service-kit/messaging/messaging';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import type { CrashPoint } from '@atrium/service-kit/process/crash-point';
import { testDatabase, testNats } from '@atrium/test-kit/backing-servers';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { exampleEvent, NOTES_MIGRATIONS } from '../notes.ts';
import { quiet } from '../pods.ts';

const KEEPER = fileURLToPath(new URL('./note-keeper.ts', import.meta.url));
const INDEX =
  '-- no transaction\ndrop index concurrently if exists handled_notes;\ncreate index concurrently handled_notes on handled (note);\n';

const resources = closeAfterEach();

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-crash-'));
  resources.push({ close: () => rm(folder, { recursive: true }) });
  return folder;
}

type Environment = { env: NodeJS.ProcessEnv; db: Db; crashPointsDir: string };

/** The environment of successive processes: a database, a NATS prefix, migrations, and a folder for crash points. */
async function createEnvironment(): Promise<Environment> {
  const [database, nats, crashPointsDir, migrations] = await Promise.all([
    testDatabase('crash'),
    testNats(),
    createFolder(),
    createFolder(),
  ]);
  await cp(NOTES_MIGRATIONS, migrations, { recursive: true });
  await writeFile(join(migrations, '0002_index.sql'), INDEX);
  const db = createDb(database, 2, quiet);
  resources.push({ close: () => db.pool.end() });
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: database,
    NATS_URL: nats.url,
    NATS_PREFIX: nats.prefix,
    MIGRATIONS_DIR: migrations,
    CRASH_POINTS_DIR: crashPointsDir,
  };
  return { env, db, crashPointsDir };
}

function startKeeper({ env }: Environment, note = ''): ChildProcess {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', KEEPER], {
    stdio: 'inherit',
    env: { ...env, NOTE: note },
  });
  resources.push({ close: () => child.kill('SIGKILL') });
  return child;
}

/** Reads the combined effect of a process that crashes at a point, and of the next process. */
async function crashAt(point: CrashPoint, note: string) {
  const environment = await createEnvironment();
  const { env, db, crashPointsDir } = environment;
  await writeFile(join(crashPointsDir, point), '');
  const [, signal] = (await once(startKeeper(environment, note), 'exit')) as [number | null, string | null];
  const remainingFiles = await readdir(crashPointsDir);
  startKeeper(environment);
  const access = { servers: env.NATS_URL ?? '' };
  const messaging = await connectMessaging({
    access,
    prefix: env.NATS_PREFIX ?? '',
    replicas: 1,
    name: 'test',
    log: quiet,
  });
  resources.push({ close: () => messaging.connection.close() });
  const { manager } = messaging;
  await waitFor(
    async () => {
      const outbox = await db.query('select 1 from outbox');
      const { num_pending, num_ack_pending } = await manager.consumers.info(messaging.stream('notes'), 'reader-notes');
      return outbox.rowCount === 0 && num_pending + num_ack_pending === 0;
    },
    { description: `everything to be done after a crash at ${point}` },
  );
  const countMessages = async (stream: string, subject: string) =>
    (await manager.streams.info(messaging.stream(stream), { subjects_filter: messaging.subject(subject) })).state
      .messages;
  return {
    signal,
    remainingFiles,
    published: await countMessages('notes', subjectOf(exampleEvent)),
    handled: (await db.query<{ n: number }>('select n from handled order by position')).rows.map(({ n }) => n),
    dead: note === 'poison' ? await countMessages('dead', '>') : 0,
  };
}

const ONCE = { signal: 'SIGKILL', remainingFiles: [], published: 2, handled: [1, 2], dead: 0 };

describe('a process that crashes at a crash point', () => {
  it('loses and repeats nothing: the next process resumes', async () => {
    const points: readonly CrashPoint[] = [
      'after-commit-before-response',
      'after-commit-before-publish',
      'in-a-chain-of-events',
      'after-publish-before-delete',
      'after-effect-before-ack',
    ];
    const outcomes = await Promise.all(points.map(async (point) => [point, await crashAt(point, 'a')]));
    expect(Object.fromEntries(outcomes)).toEqual(Object.fromEntries(points.map((point) => [point, ONCE])));
  });

  it('stores one dead letter per failed event', async () => {
    expect(await crashAt('after-dead-letter-before-term', 'poison')).toEqual({ ...ONCE, handled: [], dead: 2 });
  });

  it.each(['between-migrations', 'in-a-migration'] as const)(
    'is followed by a process that completes the schema: %s',
    async (point) => {
      const environment = await createEnvironment();
      await writeFile(join(environment.crashPointsDir, point), '');
      const [, signal] = (await once(startKeeper(environment), 'exit')) as [number | null, string | null];
      expect([signal, await readdir(environment.crashPointsDir)]).toEqual(['SIGKILL', []]);
      startKeeper(environment);
      const names = async () => (await environment.db.query<{ name: string }>('select name from migrations')).rows;
      await waitFor(async () => (await names()).length === 2, { description: 'the schema to be up to date' });
      const { rows } = await environment.db.query(
        `select indisvalid from pg_index where indexrelid = 'handled_notes'::regclass`,
      );
      expect(rows).toEqual([{ indisvalid: true }]);
    },
  );
});
