import pg from 'pg';
import type { Secrets } from '../../process-manager/secrets.ts';
import type { Address } from '../server.ts';

export const serviceDatabases = ['auth', 'users', 'projects', 'meetings', 'documents', 'chat'] as const;
export type ServiceDatabase = (typeof serviceDatabases)[number];

export const databaseNames = [...serviceDatabases, 'ferretdb'] as const;
export type DatabaseName = (typeof databaseNames)[number];

const toDatabaseName = (database: DatabaseName): string => `atrium_${database}`;
const getPassword = (secrets: Secrets, database: DatabaseName): string =>
  secrets.get(`postgres ${toDatabaseName(database)}`);

export const OWNER = 'atrium_owner';

/** Returns whether the launcher started the server. On an external server, the configured role owns every database. */
const isManaged = ({ url }: Address): boolean => new URL(url).username === OWNER;

export const databaseUrl = (postgres: Address, database: DatabaseName, secrets: Secrets): string => {
  const url = new URL(postgres.url);
  url.pathname = `/${toDatabaseName(database)}`;
  if (isManaged(postgres)) {
    url.username = toDatabaseName(database);
    url.password = getPassword(secrets, database);
  }
  return url.href;
};

const createRole = async (client: pg.Client, name: string, password: string): Promise<void> => {
  await client.query(`create role ${name} login password '${password}'`);
};

/**
 * Creates the databases with their roles. Names are constants and passwords are hexadecimal, so none needs escaping.
 */
export const createDatabases = async (postgres: Address, secrets: Secrets): Promise<void> => {
  const client = new pg.Client({ connectionString: postgres.url });
  // A shutdown rejects the pending query and emits an error event, which would end a launcher without a listener.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('select datname as name from pg_database');
    const existing = new Set(rows.map(({ name }) => name));
    const roles = await client.query<{ name: string }>('select rolname as name from pg_roles');
    for (const database of databaseNames) {
      const name = toDatabaseName(database);
      const hasOwnRole = isManaged(postgres);
      if (hasOwnRole && !roles.rows.some((role) => role.name === name))
        await createRole(client, name, getPassword(secrets, database));
      if (existing.has(name)) continue;
      await client.query(`create database ${name}${hasOwnRole ? ` owner ${name}` : ''}`);
      if (hasOwnRole) await client.query(`revoke connect on database ${name} from public`);
    }
  } finally {
    await client.end();
  }
};
