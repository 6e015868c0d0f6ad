import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { waitFor } from '@atrium/test-kit/wait-for';
import { connectInstallation, readWhereabouts } from '@atrium/tools/backup/installation/installation';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startBackup } from './program.ts';
import { openBackups, openFilledPlace, type TestPlace } from './test-installation.ts';

const backups = openBackups();
let source: TestPlace;
let watcher: pg.Client;

beforeAll(async () => {
  source = await openFilledPlace();
  watcher = new pg.Client({ connectionString: source.place.databases.chat });
  await watcher.connect();
});
afterAll(async () => {
  backups.remove();
  await watcher.end();
  await source.place.close();
});

async function isHeld(): Promise<boolean> {
  const { rows } = await watcher.query(
    `select from pg_locks where relation = 'outbox'::regclass and mode = 'ShareLock' and granted`,
  );
  return rows.length > 0;
}

/** A write in every service, which fails after ten seconds; answers how long it took, in milliseconds. */
async function writeEverywhere(): Promise<number> {
  const began = performance.now();
  const write = `begin; set local statement_timeout = '10s'; lock table outbox in row exclusive mode; rollback`;
  await Promise.all(Object.values(source.place.databases).map((url) => queryDatabase(url, write)));
  return performance.now() - began;
}

const SLOW = { delayMs: 400 };
const TOO_LONG = 'The moment of the backup took longer than 2 s';

describe('the moment in which writers are held', () => {
  it('ends within seconds where the program is stopped in it, which then says so and leaves nothing', async () => {
    const line = await createFaultyProxy(source.env.NATS_URL ?? '', SLOW);
    const backup = startBackup({ ...source.env, NATS_URL: line.url }, ['backup', '--to', backups.path]);
    try {
      await waitFor(isHeld, { what: 'the moment', everyMs: 5 });
      backup.signal('SIGSTOP');
      expect(await isHeld()).toBe(true);
      expect(await writeEverywhere()).toBeLessThan(5_000);
    } finally {
      backup.signal('SIGCONT');
    }
    const { code, said } = await backup.ended;
    expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining(TOO_LONG) });
    expect(backups.names()).toEqual([]);
    await line.close();
  });

  it('ends within seconds where NATS falls silent in it', async () => {
    const line = await createFaultyProxy(source.env.NATS_URL ?? '', SLOW);
    const place = await connectInstallation(readWhereabouts({ ...source.env, NATS_URL: line.url }));
    const backup = backups.make(place).then(
      () => 'made',
      (error: Error) => error.message,
    );
    await waitFor(isHeld, { what: 'the moment', everyMs: 5 });
    line.stall();
    expect(await isHeld()).toBe(true);
    expect(await writeEverywhere()).toBeLessThan(5_000);
    expect(await backup).toContain(TOO_LONG);
    expect(backups.names()).toEqual([]);
    line.mend();
    await place.close();
    await line.close();
  });
});
