import { join } from 'node:path';
import type { Address } from '@atrium/dev-server/backing/server';
import { BUCKET, objectClient, objectKeys, objects } from '@atrium/dev-server/backing/servers/objects';
import { databaseUrl, OWNER } from '@atrium/dev-server/backing/servers/postgres-databases';
import { readJsonFile } from '@atrium/dev-server/process-manager/json-file';
import { createSecrets } from '@atrium/dev-server/process-manager/secrets';
import type { Client } from 'minio';
import pg from 'pg';
import { z } from 'zod';

export interface Databases {
  auth: string;
  users: string;
  projects: string;
  documents: string;
  chat: string;
}

const portsSchema = z.object({ postgres: z.number(), objects: z.number().optional() });

/** Returns database URLs from the environment, or from the ports recorded in the home folder. */
export const locateDatabases = (home: string, env: NodeJS.ProcessEnv): Databases => {
  const secrets = createSecrets(join(home, 'secrets.json'));
  const getLocalAddress = (): Address => {
    const { postgres } = readJsonFile(join(home, 'ports.json'), portsSchema);
    return { url: `postgres://${OWNER}:${secrets.get('postgres owner')}@127.0.0.1:${postgres}/postgres` };
  };
  const address = env.POSTGRES_URL ? { url: env.POSTGRES_URL } : getLocalAddress();
  const toUrl = (name: keyof Databases): string => databaseUrl(address, name, secrets);
  return {
    auth: toUrl('auth'),
    users: toUrl('users'),
    projects: toUrl('projects'),
    documents: toUrl('documents'),
    chat: toUrl('chat'),
  };
};

/** Returns undefined if the environment configures no object store and its port is not recorded. */
export const locateObjectStore = (
  home: string,
  env: NodeJS.ProcessEnv,
): { client: Client; bucket: string } | undefined => {
  const configured = objects.getAddressFromEnv(env);
  if (configured) return { client: objectClient(configured), bucket: env.S3_BUCKET ?? BUCKET };
  const { objects: port } = readJsonFile(join(home, 'ports.json'), portsSchema);
  if (port === undefined) return undefined;
  const keys = objectKeys(createSecrets(join(home, 'secrets.json')));
  return { client: objectClient({ url: `http://127.0.0.1:${port}`, ...keys }), bucket: BUCKET };
};

const queryCount = async (url: string, sql: string): Promise<number> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return Number((await client.query<{ n: string }>(sql)).rows[0]?.n ?? 0);
  } finally {
    await client.end();
  }
};

/** Returns whether at most the first administrator exists. */
export const isUnused = async ({ auth, users, projects }: Databases): Promise<boolean> => {
  const [accounts, people, projectCount] = await Promise.all([
    queryCount(auth, 'select count(*) as n from accounts'),
    queryCount(users, 'select count(*) as n from users'),
    queryCount(projects, 'select count(*) as n from projects'),
  ]);
  return accounts <= 1 && people <= 1 && projectCount === 0;
};

export const listTeams = async ({ projects }: Databases): Promise<{ id: string; people: string[] }[]> => {
  const client = new pg.Client({ connectionString: projects });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string; people: string[] }>(
      `select p.id, array(select user_id from project_members m where m.project_id = p.id
         union select p.manager_id where p.manager_id is not null) as people from projects p`,
    );
    return rows;
  } finally {
    await client.end();
  }
};

export const countUnpublished = ({ users }: Databases): Promise<number> =>
  queryCount(users, 'select count(*) as n from outbox');
