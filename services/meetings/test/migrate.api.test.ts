import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { migrate } from '@atrium/service-kit/postgres/migrate';
import { testDatabase, testNats } from '@atrium/test-kit/backing-servers';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { startServiceProcess } from '@atrium/test-kit/start-service-process';
import { createTestTokens } from '@atrium/test-kit/tokens';
import { waitFor } from '@atrium/test-kit/wait-for';
import { expect, it } from '@jest/globals';

const MAIN = new URL('../src/main.ts', import.meta.url);

it('the migrate command creates the tables, and needs only the configuration of the database', async () => {
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
  const tables = `select to_regclass('meetings')::text as name`;
  expect(await queryDatabase(env.DATABASE_URL, tables)).toEqual([{ name: 'meetings' }]);
  const pod = await startServiceProcess({ main: MAIN, env, tokens: await createTestTokens(), users: [] });
  await waitFor(() => pod.output().includes('"msg":"ready"'), { description: 'the pod to be ready' });
  expect(await pod.end('SIGTERM')).toBe(0);
});

it('the database rejects a meeting that is longer than 24 hours', async () => {
  const url = await testDatabase('meetings_long');
  await migrate(url, new URL('../migrations/', import.meta.url));
  const insertMeeting = (endsAt: string) =>
    queryDatabase(
      url,
      `insert into meetings (id, title, description, type, location, meeting_link, agenda, starts_at, ends_at, timezone, organizer_id)
       values ('m', 'Retreat', '', 'other', '', '', '', '2030-01-01T09:00Z', '${endsAt}', 'Europe/Berlin', 'o')`,
    );
  await expect(insertMeeting('2030-01-02T09:00:01Z')).rejects.toThrow('meetings_max_duration');
  await insertMeeting('2030-01-02T09:00:00Z');
});
