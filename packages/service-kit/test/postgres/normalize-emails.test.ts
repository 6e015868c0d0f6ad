import { normalizeStoredEmails } from '@atrium/service-kit/postgres/normalize-emails';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { testDatabase } from '@atrium/test-kit/backing-servers';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { expect, it } from '@jest/globals';
import { quiet } from '../pods.ts';

const open = closeAfterEach();

it('brings stored addresses into their canonical form, and records those that another row has or that are none', async () => {
  const db = createDb(await testDatabase('normalize-emails'), 2, quiet);
  open.push({ close: () => db.pool.end() });
  await db.query(`create table accounts (id text primary key, email text not null, version integer not null default 1);
    create unique index on accounts (lower(email));
    create table email_collisions (id text primary key, other_id text, found_at timestamptz not null default now())`);
  const stored = [
    'lena@example.org',
    '<lena@example.org>',
    'ben@BÜCHER.example',
    'ada@exam\u200bple.org',
    '"<b>"@x.org',
  ];
  for (const [index, email] of stored.entries())
    await db.query('insert into accounts (id, email) values ($1, $2)', [`${index}`, email]);
  const table = { name: 'accounts', where: 'true', alsoSet: 'version = version + 1' } as const;
  for (let round = 0; round < 2; round += 1) await normalizeStoredEmails(db, table, quiet);
  const { rows } = await db.query<{ email: string; version: number }>(
    'select email, version from accounts order by id',
  );
  expect(rows.map(({ email, version }) => [email, version])).toEqual([
    ['lena@example.org', 1],
    ['<lena@example.org>', 1],
    ['ben@xn--bcher-kva.example', 2],
    ['ada@example.org', 2],
    ['"<b>"@x.org', 1],
  ]);
  const found = await db.query('select id, other_id from email_collisions order by id');
  expect(found.rows).toEqual([
    { id: '1', other_id: '0' },
    { id: '4', other_id: null },
  ]);
});
