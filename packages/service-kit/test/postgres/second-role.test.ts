import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { migrate } from '@atrium/service-kit/postgres/migrate';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { testDatabase } from '@atrium/test-kit/backing-servers';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { quiet } from '../pods.ts';

const MIGRATIONS = new URL('../migrations', import.meta.url);
const DOCUMENT = new URL('../../../../docs/self-hosting/secrets.md', import.meta.url);
const name = `role_${randomBytes(4).toString('hex')}`;
const databases: Db[] = [];
let admin: string;

/** The statements from the documentation of secrets, for a role of this test. */
async function readStatements(marker: string): Promise<string> {
  const page = await readFile(DOCUMENT, 'utf8');
  const [, sql] = new RegExp(`-- ${marker}\n([\\s\\S]+?)\n *SQL\n`).exec(page) ?? [];
  if (!sql) throw new Error(`docs/self-hosting/secrets.md has no statements "${marker}"`);
  // Substitutions of the documented shell commands.
  return sql.replaceAll(/\$\(value \w+\)/g, 'new-password').replaceAll('atrium_chat', name);
}

const toUrl = (user: string, password: string) => Object.assign(new URL(admin), { username: user, password }).href;
const openDb = (url: string) => {
  const db = createDb(url, 2, quiet);
  databases.push(db);
  return db;
};

beforeAll(async () => {
  admin = await testDatabase('second-role');
  const database = new URL(admin).pathname.slice(1);
  await queryDatabase(admin, `create role ${name} login password 'old'`);
  await queryDatabase(admin, `alter database ${database} owner to ${name}`);
});
afterAll(async () => {
  await Promise.all(databases.map(({ pool }) => pool.end()));
  await queryDatabase(admin, `alter database ${new URL(admin).pathname.slice(1)} owner to current_user`);
  await queryDatabase(admin, `reassign owned by ${name} to current_user`);
  await queryDatabase(admin, `drop owned by ${name}; drop role if exists ${name}_2; drop role ${name}`);
});

it('a second role changes the password of a database while pods with either migrate, write, and read', async () => {
  const firstRoleDb = openDb(toUrl(name, 'old'));
  await migrate(toUrl(name, 'old'), MIGRATIONS);
  await firstRoleDb.query('create table before (id integer)');
  await queryDatabase(admin, await readStatements('create a second role'));
  const secondRoleDb = openDb(toUrl(`${name}_2`, 'new-password'));
  // The second role has the rights of an owner on existing objects, and new ones belong to the first role.
  await secondRoleDb.query('alter table before add column note text');
  await secondRoleDb.query('create table after (id integer)');
  await firstRoleDb.query('alter table after add column note text');
  await migrate(toUrl(`${name}_2`, 'new-password'), MIGRATIONS);
  for (const db of [firstRoleDb, secondRoleDb]) await db.query(`insert into after (id) select 1 from notes limit 0`);

  await queryDatabase(admin, await readStatements('set the new password of the first role'));
  await secondRoleDb.query('select * from before');
  // An open connection stays; new ones with the old password fail.
  await firstRoleDb.query('select * from after');
  await expect(openDb(toUrl(name, 'old')).query('select 1')).rejects.toThrow(/password authentication failed/);
  expect((await secondRoleDb.query('select current_user as me')).rows).toEqual([{ me: name }]);
  const newPasswordDb = openDb(toUrl(name, 'new-password'));
  await newPasswordDb.query('select * from before, after');

  await secondRoleDb.pool.end();
  databases.splice(databases.indexOf(secondRoleDb), 1);
  await queryDatabase(admin, await readStatements('drop the second role'));
  await newPasswordDb.query('select * from before, after');
  await expect(openDb(toUrl(`${name}_2`, 'new-password')).query('select 1')).rejects.toThrow(
    /authentication failed|does not exist/,
  );
});
