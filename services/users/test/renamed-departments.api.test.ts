import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { migrate } from '@atrium/service-kit/postgres/migrate';
import { testDatabase } from '@atrium/test-kit/backing-servers';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { expect, it } from '@jest/globals';

const MIGRATIONS = new URL('../migrations/', import.meta.url);

it('renames the later of two departments whose names have one key, and says which, when names get their keys', async () => {
  const url = await testDatabase('renamed-departments');
  const before = mkdtempSync(join(tmpdir(), 'migrations-'));
  for (const file of readdirSync(MIGRATIONS).filter((name) => name < '0010'))
    cpSync(fileURLToPath(new URL(file, MIGRATIONS)), join(before, file));
  await migrate(url, pathToFileURL(before));
  rmSync(before, { recursive: true });
  const names = ['Café Nord', 'Cafe\u0301 Nord', 'CAFÉ  NORD', 'café nord (2)', 'Alone'];
  for (const [index, name] of names.entries())
    await queryDatabase(
      url,
      `insert into departments (id, name, created_at) values ('${index}', '${name}', now() + interval '${index} s')`,
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
});
