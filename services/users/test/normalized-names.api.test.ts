import { migrate } from '@atrium/service-kit/postgres/migrate';
import { testDatabase } from '@atrium/test-kit/backing-servers';
import { migrateUpTo } from '@atrium/test-kit/migrate-up-to';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { expect, it } from '@jest/globals';

const MIGRATIONS = new URL('../migrations/', import.meta.url);
const TWINS = ['Café Nord', 'Cafe\u0301 Nord', 'CAFÉ  NORD', 'café nord (2)', 'Alone'];

it('composes stored names, and renames and records the later of two departments whose names have one key', async () => {
  const url = await testDatabase('normalized-names');
  await migrateUpTo(url, MIGRATIONS, '0009');
  for (const [index, name] of TWINS.entries())
    await queryDatabase(
      url,
      `insert into departments (id, name, created_at) values ('${index}', '${name}', now() + interval '${index} s')`,
    );
  await queryDatabase(
    url,
    `insert into users (id, first_name, last_name, email, role, status, join_date) values
      ('u', 'Ben', 'Dvor\u030ca\u0301k', 'ben@example.org', 'member', 'active', now())`,
  );
  await migrate(url, MIGRATIONS);
  const departments = `select name from departments where length(id) = 1 order by id`;
  expect(await queryDatabase(url, departments)).toEqual(
    ['Café Nord', 'Café Nord (3)', 'CAFÉ  NORD (4)', 'café nord (2)', 'Alone'].map((name) => ({ name })),
  );
  expect(await queryDatabase(url, 'select department_id, name_before, name_after from renamed_departments')).toEqual([
    { department_id: '1', name_before: 'Café Nord', name_after: 'Café Nord (3)' },
    { department_id: '2', name_before: 'CAFÉ  NORD', name_after: 'CAFÉ  NORD (4)' },
  ]);
  expect(await queryDatabase(url, 'select last_name, search, version from users')).toEqual([
    { last_name: 'Dvořák', search: ' ben dvorak ben example org', version: 2 },
  ]);
});
