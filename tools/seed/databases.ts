import { join } from 'node:path';
import type { Address } from '@atrium/local/backing/server';
import { databaseUrl, OWNER } from '@atrium/local/backing/servers/postgres-databases';
import { readJsonFile } from '@atrium/local/supervise/json-file';
import { createSecrets } from '@atrium/local/supervise/secrets';
import pg from 'pg';
import { z } from 'zod';

export interface Databases {
  auth: string;
  users: string;
  projects: string;
}

const ports = z.object({ postgres: z.number() });

/** Where the databases of a workspace are that somebody else has started: given, or on the port that its home remembers. */
export const databasesOf = (home: string, env: NodeJS.ProcessEnv): Databases => {
  const secrets = createSecrets(join(home, 'secrets.json'));
  const own = (): Address => {
    const { postgres } = readJsonFile(join(home, 'ports.json'), ports);
    return { url: `postgres://${OWNER}:${secrets.of('postgres owner')}@127.0.0.1:${postgres}/postgres` };
  };
  const address = env.POSTGRES_URL ? { url: env.POSTGRES_URL } : own();
  const of = (name: keyof Databases): string => databaseUrl(address, name, secrets);
  return { auth: of('auth'), users: of('users'), projects: of('projects') };
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

/** A workspace in which nobody has worked: at most its first administrator is there. */
export const isUnused = async ({ auth, users, projects }: Databases): Promise<boolean> => {
  const [accounts, people, begun] = await Promise.all([
    ask(auth, 'select count(*) as n from accounts'),
    ask(users, 'select count(*) as n from users'),
    ask(projects, 'select count(*) as n from projects'),
  ]);
  return accounts <= 1 && people <= 1 && begun === 0;
};

/** How many values the directory is still to be told. */
export const untold = ({ users }: Databases): Promise<number> => ask(users, 'select count(*) as n from outbox');
