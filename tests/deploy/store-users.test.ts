import { randomBytes } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { ephemeralContext } from '@atrium/dev-server/backing/launcher-context';
import { ferretUrl } from '@atrium/dev-server/backing/servers/mongo';
import { databaseUrl, serviceDatabases } from '@atrium/dev-server/backing/servers/postgres-databases';
import { type Backing, startBacking } from '@atrium/dev-server/backing/servers/start-backing';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { read } from '../contracts/sources.ts';

const { POSTGRES_URL: _postgres, MONGO_URL: _mongo, POSTGRES_DIRECT_URL: _direct, ...env } = process.env;
const context = { ...ephemeralContext({ line: () => undefined, log: () => undefined }), env };
let backing: Backing;
let owner: string;

beforeAll(async () => {
  backing = await startBacking(context, ['postgres', 'mongo']);
  owner = backing.addresses.postgres?.url ?? '';
});
afterAll(async () => {
  await backing.stop();
  await context.reaper.close();
});

const asRole = (name: string, password: string, database: string): string =>
  Object.assign(new URL(owner), { username: name, password, pathname: `/${database}` }).href;

/** Creates a role and its database with the SQL of the deployment's script, as psql runs it. */
async function runDatabasesScript(name: string, password: string): Promise<void> {
  const [, sql = ''] = /<<'SQL'\n([\s\S]+?)\nSQL\n/.exec(read('deploy/backing/postgres/databases.sh')) ?? [];
  const generated = sql.split('\n').filter((line) => line.endsWith('\\gexec'));
  expect(generated.length).toBe(4);
  for (const line of generated) {
    const query = line
      .replace(' \\gexec', '')
      .replaceAll(":'name'", `'${name}'`)
      .replace(":'password'", `'${password}'`);
    for (const row of await queryDatabase(owner, query)) await queryDatabase(owner, Object.values(row).join());
  }
}

const DENIED = /permission denied|must be|only roles with|insufficient|not allowed|do not have permission/i;

/** Statements that a role could use to escape its database. */
const listEscapeStatements = (other: string): string[] => [
  `set role ${other}`,
  `alter role ${other} password 'forged'`,
  `alter database ${other} owner to current_user`,
  'create role forged superuser',
  'create database forged',
  'alter role current_user superuser',
  'select rolpassword from pg_authid',
  "select pg_read_file('/etc/passwd')",
  "copy (select 1) to program 'true'",
  'create foreign data wrapper forged',
  'alter system set log_statement = none',
];

async function expectOwnDatabaseOnly(name: string, password: string, others: readonly string[]): Promise<void> {
  await queryDatabase(asRole(name, password, name), 'create table own (id text); drop table own');
  for (const other of others) {
    // A grant without grant option succeeds with a warning.
    await queryDatabase(asRole(name, password, name), `grant connect on database ${other} to current_user`);
    await expect(queryDatabase(asRole(name, password, other), 'select 1')).rejects.toThrow(/permission denied/);
    for (const statement of listEscapeStatements(other)) {
      const attempt = queryDatabase(asRole(name, password, name), statement).then(() => `done: ${statement}`);
      await expect(attempt).rejects.toThrow(DENIED);
    }
  }
  await expect(queryDatabase(asRole(name, password, 'postgres'), 'create table forged (id text)')).rejects.toThrow(
    DENIED,
  );
}

describe('PostgreSQL role of a service', () => {
  it.each(serviceDatabases)('has access only to the database of %s in a local start', async (service) => {
    const { username, password } = new URL(databaseUrl({ url: owner }, service, context.secrets));
    const others = serviceDatabases.filter((name) => name !== service).map((name) => `atrium_${name}`);
    await expectOwnDatabaseOnly(username, password, [...others, 'atrium_ferretdb']);
  });

  it('has access only to its own database in a deployment', async () => {
    const roles = ['one', 'other'].map((name) => ({
      name: `deployed_${name}`,
      password: randomBytes(8).toString('hex'),
    }));
    for (const { name, password } of roles) await runDatabasesScript(name, password);
    for (const { name, password } of roles)
      await expectOwnDatabaseOnly(
        name,
        password,
        roles.map((role) => role.name).filter((roleName) => roleName !== name),
      );
  });
});

describe('MongoDB user of notifications', () => {
  it('is the only user with access to the documents in a local start', async () => {
    const { port } = new URL(backing.addresses.mongo?.url ?? '');
    const find = async (url: string) => {
      const client = new MongoClient(url, { serverSelectionTimeoutMS: 5_000 });
      try {
        return await client.db('atrium').collection('mails').find().toArray();
      } finally {
        await client.close();
      }
    };
    expect(await find(ferretUrl(Number(port), databaseUrl({ url: owner }, 'ferretdb', context.secrets)))).toEqual([]);
    for (const service of serviceDatabases) {
      const otherServiceUrl = ferretUrl(Number(port), databaseUrl({ url: owner }, service, context.secrets));
      await expect(find(otherServiceUrl)).rejects.toThrow();
    }
  });

  it.each([
    ['created', [], 'createUser'],
    ['updated', [{ user: 'notifications' }], 'updateUser'],
  ])('is %s with access only to its own database in a deployment', (_label, users, command) => {
    const commands: Record<string, unknown>[] = [];
    const admin = {
      runCommand: (command: Record<string, unknown>) => {
        commands.push(command);
        return 'usersInfo' in command ? { ok: 1, users } : { ok: 1 };
      },
    };
    const db = { getSiblingDB: (name: string) => (name === 'admin' ? admin : undefined) };
    const process = { env: { NOTIFICATIONS_PASSWORD: 'a password' } };
    runInNewContext(read('deploy/backing/mongo/notifications-user.js'), { db, process });
    expect(commands.slice(1)).toEqual([
      { [command]: 'notifications', pwd: 'a password', roles: [{ role: 'readWrite', db: 'atrium' }] },
    ]);
  });
});
