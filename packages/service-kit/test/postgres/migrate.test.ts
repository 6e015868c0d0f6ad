import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { migrate, migrateService, waitUntilMigrated } from '@atrium/service-kit/postgres/migrate';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { testDatabase } from '@atrium/test-kit/backing-servers';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { quiet } from '../pods.ts';

let url: string;
let db: Db;
let folder: string;
beforeEach(async () => {
  url = await testDatabase('migrate');
  db = createDb(url, 4, quiet);
  folder = join(await mkdtemp(join(tmpdir(), 'atrium-migrations-')), 'migrations');
  await mkdir(folder);
});
afterEach(async () => {
  await db.pool.end();
  await rm(join(folder, '..'), { recursive: true });
});

const writeMigration = (name: string, text: string) => writeFile(join(folder, name), text);
const runMigrations = () => migrate(url, pathToFileURL(folder));
const readApplied = async () =>
  (await db.query<{ name: string }>('select name from migrations')).rows.map(({ name }) => name);

const THINGS = 'create table things (id integer);\n';

describe('migrate', () => {
  it('runs each migration once, in order, in one of several processes', async () => {
    await writeMigration('0001_things.sql', THINGS);
    await writeMigration('0002_more.sql', 'insert into things values (1);\n');
    await Promise.all([runMigrations(), runMigrations(), runMigrations()]);
    await runMigrations();
    expect((await db.query('select id from things')).rows).toEqual([{ id: 1 }]);
    expect(await readApplied()).toEqual(['0001_things', '0002_more']);
  });

  it('applies a migration completely or not at all, and keeps earlier ones', async () => {
    await writeMigration('0001_things.sql', THINGS);
    await writeMigration('0002_half.sql', 'insert into things values (1);\nselect 1 / 0;\n');
    await expect(runMigrations()).rejects.toThrow('division by zero');
    expect(await readApplied()).toEqual(['0001_things']);
    expect((await db.query('select id from things')).rows).toEqual([]);
  });

  it('builds an index concurrently if the file says so, and rebuilds an invalid one', async () => {
    await writeMigration('0001_things.sql', THINGS);
    await writeMigration(
      '0002_index.sql',
      '-- no transaction\ndrop index concurrently if exists things_id;\ncreate index concurrently things_id on things (id);\n',
    );
    await runMigrations();
    const { rows } = await db.query(`select indisvalid from pg_index where indexrelid = 'things_id'::regclass`);
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  it('skips statements that need a missing extension', async () => {
    await writeMigration('0001_things.sql', THINGS);
    await writeMigration(
      '0002_index.sql',
      [
        '-- no transaction',
        '-- with no_such_extension\n-- And why.\ncreate index concurrently things_none on things using no_such_extension (id);',
        '-- with plpgsql\ncreate index concurrently things_some on things (id);',
        'create index concurrently things_all on things (id);\n',
      ].join('\n'),
    );
    await runMigrations();
    const { rows } = await db.query(`select indexname from pg_indexes where tablename = 'things' order by 1`);
    expect(rows).toEqual([{ indexname: 'things_all' }, { indexname: 'things_some' }]);
  });

  it('builds an index concurrently while other migrations wait and a reader is slow', async () => {
    await writeMigration('0001_things.sql', `${THINGS}insert into things select generate_series(1, 10000);\n`);
    await runMigrations();
    await writeMigration('0002_index.sql', '-- no transaction\ncreate index concurrently things_id on things (id);\n');
    const { promise: readerDone, resolve: endReader } = Promise.withResolvers<void>();
    const reading = db.transaction(async (tx) => {
      await tx.query('set transaction isolation level repeatable read');
      await tx.query('select 1 from things');
      await readerDone;
    });
    const migrating = Promise.all([runMigrations(), runMigrations(), runMigrations()]);
    // Longer than the lock timeout, and than PostgreSQL's deadlock detection.
    await Promise.race([migrating, delay(4_000)]);
    endReader();
    await Promise.all([reading, migrating]);
    expect(await readApplied()).toEqual(['0001_things', '0002_index']);
  });

  it('waits at most three seconds for a table lock, so that others are not blocked longer', async () => {
    await writeMigration('0001_things.sql', THINGS);
    await runMigrations();
    await writeMigration('0002_column.sql', 'alter table things add column name text;\n');
    const { promise: readerDone, resolve: endReader } = Promise.withResolvers<void>();
    const reading = db.transaction(async (tx) => {
      await tx.query('select 1 from things');
      await readerDone;
    });
    await waitFor(async () => (await db.query(`select 1 from pg_locks where relation = 'things'::regclass`)).rowCount, {
      description: 'the table to be read',
    });
    const start = performance.now();
    await expect(runMigrations()).rejects.toMatchObject({ code: '55P03' });
    expect(performance.now() - start).toBeLessThan(60_000);
    endReader();
    await reading;
    await runMigrations();
    expect(await readApplied()).toEqual(['0001_things', '0002_column']);
  });

  it('waitUntilMigrated waits for another process to migrate', async () => {
    await writeMigration('0001_things.sql', THINGS);
    let isMigrated = false;
    const waiting = waitUntilMigrated(url, pathToFileURL(folder), quiet, new AbortController().signal).then(() => {
      isMigrated = true;
    });
    await db.query('select 1');
    expect(isMigrated).toBe(false);
    await migrateService(
      { name: 'test', migrations: pathToFileURL(folder) },
      { DATABASE_URL: url, LOG_LEVEL: 'silent' },
    );
    await waiting;
  });
});
