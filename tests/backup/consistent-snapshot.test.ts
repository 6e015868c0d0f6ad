import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { waitFor } from '@atrium/test-kit/wait-for';
import { connectInstallation, readInstallationConfig } from '@atrium/tools/backup/installation/installation';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startBackup } from './program.ts';
import { createBackupFolder, createFilledInstallation, type TestInstallation } from './test-installation.ts';

const backups = createBackupFolder();
let source: TestInstallation;
let watcher: pg.Client;

beforeAll(async () => {
  source = await createFilledInstallation();
  watcher = new pg.Client({ connectionString: source.installation.databases.chat });
  await watcher.connect();
});
afterAll(async () => {
  backups.remove();
  await watcher.end();
  await source.installation.close();
});

async function isOutboxLocked(): Promise<boolean> {
  const { rows } = await watcher.query(
    `select from pg_locks where relation = 'outbox'::regclass and mode = 'ShareLock' and granted`,
  );
  return rows.length > 0;
}

/** Writes in every service, with a timeout of ten seconds. Returns the duration in milliseconds. */
async function writeEverywhere(): Promise<number> {
  const startedAt = performance.now();
  const write = `begin; set local statement_timeout = '10s'; lock table outbox in row exclusive mode; rollback`;
  await Promise.all(Object.values(source.installation.databases).map((url) => queryDatabase(url, write)));
  return performance.now() - startedAt;
}

const SLOW_CONNECTION = { delayMs: 400 };
const LOCK_TIMEOUT_MESSAGE = 'The snapshot took longer than 2 s';

describe('the writer lock of a backup', () => {
  it('is released within seconds if the backup is suspended; the backup then fails and leaves no files', async () => {
    const proxy = await createFaultyProxy(source.env.NATS_URL ?? '', SLOW_CONNECTION);
    const backup = startBackup({ ...source.env, NATS_URL: proxy.url }, ['backup', '--to', backups.path]);
    try {
      await waitFor(isOutboxLocked, { description: 'the writer lock', intervalMs: 5 });
      backup.signal('SIGSTOP');
      expect(await isOutboxLocked()).toBe(true);
      expect(await writeEverywhere()).toBeLessThan(5_000);
    } finally {
      backup.signal('SIGCONT');
    }
    const { code, output } = await backup.ended;
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(LOCK_TIMEOUT_MESSAGE) });
    expect(backups.names()).toEqual([]);
    await proxy.close();
  });

  it('is released within seconds if NATS stops responding', async () => {
    const proxy = await createFaultyProxy(source.env.NATS_URL ?? '', SLOW_CONNECTION);
    const installation = await connectInstallation(readInstallationConfig({ ...source.env, NATS_URL: proxy.url }));
    const backup = backups.make(installation).then(
      () => 'made',
      (error: Error) => error.message,
    );
    await waitFor(isOutboxLocked, { description: 'the writer lock', intervalMs: 5 });
    proxy.stall();
    expect(await isOutboxLocked()).toBe(true);
    expect(await writeEverywhere()).toBeLessThan(5_000);
    expect(await backup).toContain(LOCK_TIMEOUT_MESSAGE);
    expect(backups.names()).toEqual([]);
    proxy.restore();
    await installation.close();
    await proxy.close();
  });
});
