import pg from 'pg';
import type { Secrets } from '../../process-manager/secrets.ts';
import type { Address } from '../server.ts';

export const serviceDatabases = ['auth', 'users', 'projects', 'meetings', 'documents', 'chat'] as const;
export type ServiceDatabase = (typeof serviceDatabases)[number];

export const databaseNames = [...serviceDatabases, 'ferretdb'] as const;
export type DatabaseName = (typeof databaseNames)[number];

const nameOf = (database: DatabaseName): string => `atrium_${database}`;
const passwordOf = (secrets: Secrets, database: DatabaseName): string => secrets.of(`postgres ${nameOf(database)}`);

/** On an external server, the configured role owns every database. */
const isOwn = ({ url }: Address): boolean => new URL(url).username === 'atrium_owner';
export const OWNER = 'atrium_owner';

export const databaseUrl = (postgres: Address, database: DatabaseName, secrets: Secrets): string => {
  const url = new URL(postgres.url);
  url.pathname = `/${nameOf(database)}`;
  if (isOwn(postgres)) {
    url.username = nameOf(database);
    url.password = passwordOf(secrets, database);
  }
  return url.href;
};

const createRole = async (client: pg.Client, name: string, password: string): Promise<void> => {
  await client.query(`create role ${name} login password '${password}'`);
};

/** Names are constants and passwords are hexadecimal, so neither needs escaping. */
export const createDatabases = async (postgres: Address, secrets: Secrets): Promise<void> => {
  const client = new pg.Client({ connectionString: postgres.url });
  // A shutdown rejects the pending query and emits an error event, which would end the launcher without a listener.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('select datname as name from pg_database');
    const existing = new Set(rows.map(({ name }) => name));
    const roles = await client.query<{ name: string }>('select rolname as name from pg_roles');
    for (const database of databaseNames) {
      const name = nameOf(database);
      const own = isOwn(postgres);
      if (own && !roles.rows.some((role) => role.name === name))
        await createRole(client, name, passwordOf(secrets, database));
      if (existing.has(name)) continue;
      await client.query(`create database ${name}${own ? ` owner ${name}` : ''}`);
      if (own) await client.query(`revoke connect on database ${name} from public`);
    }
  } finally {
    await client.end();
  }
};
