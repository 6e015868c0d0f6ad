import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { migrate } from '@atrium/service-kit/postgres/migrate';
import { testDatabase, testNats } from '@atrium/test-kit/backing-servers';
import { migrateUpTo } from '@atrium/test-kit/migrate-up-to';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { startServiceProcess } from '@atrium/test-kit/start-service-process';
import { createTestTokens } from '@atrium/test-kit/tokens';
import { waitFor } from '@atrium/test-kit/wait-for';
import { expect, it } from '@jest/globals';

const MAIN = new URL('../src/main.ts', import.meta.url);

it('has all its tables from the command `migrate`, which needs no other configuration than its database', async () => {
  const nats = await testNats();
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: await testDatabase('meetings'),
    NATS_URL: nats.url,
    NATS_PREFIX: nats.prefix,
    LOG_LEVEL: 'info',
    MIGRATIONS: 'wait',
  };
  const command = spawn(process.execPath, [fileURLToPath(MAIN), 'migrate'], {
    env: { PATH: env.PATH, DATABASE_URL: env.DATABASE_URL },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await once(command, 'exit')).toEqual([0, null]);
  const tables = `select to_regclass('meetings')::text as ours, to_regclass('graphile_worker._private_jobs')::text as jobs`;
  expect(await queryDatabase(env.DATABASE_URL, tables)).toEqual([
    { ours: 'meetings', jobs: 'graphile_worker._private_jobs' },
  ]);
  const pod = await startServiceProcess({ main: MAIN, env, tokens: await createTestTokens(), people: [] });
  await waitFor(() => pod.output().includes('"msg":"ready"'), { what: 'the pod to be ready' });
  expect(await pod.end('SIGTERM')).toBe(0);
});

it('shortens stored meetings and series to 24 hours, and keeps how long they were', async () => {
  const url = await testDatabase('meetings_long');
  const migrations = new URL('../migrations/', import.meta.url);
  await migrateUpTo(url, migrations, '0010');
  const [text, times] = [`'', 'other', '', '', ''`, `'2030-01-01T09:00Z', '2030-01-03T17:00Z'`];
  await queryDatabase(
    url,
    `with rule as (
       insert into series (id, calendar_id, frequency, first_start, duration_ms, timezone, complete, title, description, type, location, meeting_link, agenda, organizer_id, participant_ids)
       values ('s', 's', 'monthly', '2030-01-01T09:00Z', 201600000, 'UTC', true, 'Retreat', ${text}, 'o', '{o}') returning id
     ), one as (
       insert into meetings (id, series_id, original_start, title, description, type, location, meeting_link, agenda, starts_at, ends_at, timezone, organizer_id)
       select 'm', id, '2030-01-01T09:00Z', 'Retreat', ${text}, ${times}, 'Europe/Berlin', 'o' from rule returning id
     )
     insert into participants (meeting_id, user_id, position, starts_at, ends_at) select id, 'o', 1, ${times} from one`,
  );
  await migrate(url, migrations);
  const after = `select m.ends_at - m.starts_at = '24 hours' and p.ends_at = m.ends_at as is_short, m.description,
      l.ends_at = '2030-01-03T17:00Z' as is_kept, s.duration_ms::int, (select duration_ms::int from shortened_series) as was
    from meetings m join participants p on p.meeting_id = m.id join series s on s.id = m.series_id
    join shortened_meetings l on l.meeting_id = m.id`;
  expect(await queryDatabase(url, after)).toEqual([
    {
      is_short: true,
      is_kept: true,
      description: 'Originally scheduled until 2030-01-03 18:00 (Europe/Berlin).',
      duration_ms: 86_400_000,
      was: 201_600_000,
    },
  ]);
  await expect(queryDatabase(url, `update meetings set ends_at = ends_at + interval '1 second'`)).rejects.toThrow(
    'meetings_at_most_a_day',
  );
});

it('composes stored names and titles, and renames and records the later of two rooms whose names have one key', async () => {
  const url = await testDatabase('meetings_names');
  const migrations = new URL('../migrations/', import.meta.url);
  await migrateUpTo(url, migrations, '0012');
  const names = ['Café', 'Cafe\u0301', 'ＣＡＦÉ', 'café (2)'];
  for (const [index, name] of names.entries())
    await queryDatabase(
      url,
      `insert into rooms (id, name, size, created_at, deleted_at)
       values ('${index}', '${name}', 4, now() + interval '${index} s', null), ('d${index}', '${name}', 4, now(), now())`,
    );
  await migrate(url, migrations);
  expect(await queryDatabase(url, 'select name from rooms where deleted_at is null order by id')).toEqual(
    ['Café', 'Café (3)', 'ＣＡＦÉ (4)', 'café (2)'].map((name) => ({ name })),
  );
  expect(await queryDatabase(url, 'select count(*)::int as n from rooms where deleted_at is not null')).toEqual([
    { n: names.length },
  ]);
  expect(await queryDatabase(url, 'select room_id, name_before, name_after from renamed_rooms')).toEqual([
    { room_id: '1', name_before: 'Café', name_after: 'Café (3)' },
    { room_id: '2', name_before: 'ＣＡＦÉ', name_after: 'ＣＡＦÉ (4)' },
  ]);
});
