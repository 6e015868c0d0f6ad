import pg from 'pg';
import type { Secrets } from '../../process-manager/secrets.ts';
import type { Address } from '../server.ts';

/** The services that keep rows: each has a database of its own, under its name. */
export const serviceDatabases = ['auth', 'users', 'projects', 'meetings', 'documents', 'chat'] as const;
export type ServiceDatabase = (typeof serviceDatabases)[number];

/** The databases of a local start: those of the services, and FerretDB's. */
export const databaseNames = [...serviceDatabases, 'ferretdb'] as const;
export type DatabaseName = (typeof databaseNames)[number];

const nameOf = (database: DatabaseName): string => `atrium_${database}`;
const passwordOf = (secrets: Secrets, database: DatabaseName): string => secrets.of(`postgres ${nameOf(database)}`);

/** Whether the server is the launcher's own; on one that was given, the given role owns every database. */
const isOwn = ({ url }: Address): boolean => new URL(url).username === 'atrium_owner';
export const OWNER = 'atrium_owner';

/** Where a service finds its own database, with its own role. */
export const databaseUrl = (postgres: Address, database: DatabaseName, secrets: Secrets): string => {
  const url = new URL(postgres.url);
  url.pathname = `/${nameOf(database)}`;
  if (isOwn(postgres)) {
    url.username = nameOf(database);
    url.password = passwordOf(secrets, database);
  }
  return url.href;
};

const makeRole = async (client: pg.Client, name: string, password: string): Promise<void> => {
  await client.query(`create role ${name} login password '${password}'`);
};

/** Makes what is not there yet; names are our own constants and passwords our own hexadecimal words. */
export const makeDatabases = async (postgres: Address, secrets: Secrets): Promise<void> => {
  const client = new pg.Client({ connectionString: postgres.url });
  // A server that ends meanwhile fails the query that waits; told a second time, without a listener, it would end the launcher.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('select datname as name from pg_database');
    const there = new Set(rows.map(({ name }) => name));
    const roles = await client.query<{ name: string }>('select rolname as name from pg_roles');
    for (const database of databaseNames) {
      const name = nameOf(database);
      const own = isOwn(postgres);
      if (own && !roles.rows.some((role) => role.name === name))
        await makeRole(client, name, passwordOf(secrets, database));
      if (there.has(name)) continue;
      await client.query(`create database ${name}${own ? ` owner ${name}` : ''}`);
      if (own) await client.query(`revoke connect on database ${name} from public`);
    }
  } finally {
    await client.end();
  }
};
