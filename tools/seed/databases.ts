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

const ports = z.object({ postgres: z.number(), objects: z.number().optional() });

/** Configured, or at the ports recorded in the home folder. */
export const databasesOf = (home: string, env: NodeJS.ProcessEnv): Databases => {
  const secrets = createSecrets(join(home, 'secrets.json'));
  const own = (): Address => {
    const { postgres } = readJsonFile(join(home, 'ports.json'), ports);
    return { url: `postgres://${OWNER}:${secrets.get('postgres owner')}@127.0.0.1:${postgres}/postgres` };
  };
  const address = env.POSTGRES_URL ? { url: env.POSTGRES_URL } : own();
  const of = (name: keyof Databases): string => databaseUrl(address, name, secrets);
  return {
    auth: of('auth'),
    users: of('users'),
    projects: of('projects'),
    documents: of('documents'),
    chat: of('chat'),
  };
};

/** Undefined if unknown. */
export const objectsOf = (home: string, env: NodeJS.ProcessEnv): { client: Client; bucket: string } | undefined => {
  const configured = objects.getConfigured(env);
  if (configured) return { client: objectClient(configured), bucket: env.S3_BUCKET ?? BUCKET };
  const { objects: port } = readJsonFile(join(home, 'ports.json'), ports);
  if (port === undefined) return undefined;
  const keys = objectKeys(createSecrets(join(home, 'secrets.json')));
  return { client: objectClient({ url: `http://127.0.0.1:${port}`, ...keys }), bucket: BUCKET };
};

const ask = async (url: string, sql: string): Promise<number> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return Number((await client.query<{ n: string }>(sql)).rows[0]?.n ?? 0);
  } finally {
    await client.end();
  }
};

/** Unused: at most the first administrator exists. */
export const isUnused = async ({ auth, users, projects }: Databases): Promise<boolean> => {
  const [accounts, people, begun] = await Promise.all([
    ask(auth, 'select count(*) as n from accounts'),
    ask(users, 'select count(*) as n from users'),
    ask(projects, 'select count(*) as n from projects'),
  ]);
  return accounts <= 1 && people <= 1 && begun === 0;
};

export const teamsOf = async ({ projects }: Databases): Promise<{ id: string; people: string[] }[]> => {
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
  ask(users, 'select count(*) as n from outbox');
