import type { ServiceDatabase } from '../backing/servers/postgres-databases.ts';

/** What the launcher knows and a process may need, by the name of its variable. */
export type Shared = Record<
  | 'MONGO_URL'
  | 'REDIS_URL'
  | 'REDIS_PREFIX'
  | 'S3_ENDPOINT'
  | 'S3_PUBLIC_URL'
  | 'S3_ACCESS_KEY'
  | 'S3_SECRET_KEY'
  | 'S3_BUCKET'
  | 'SMTP_URL'
  | 'PUBLIC_URL'
  | 'KEY_ENCRYPTION_SECRET'
  | 'LINK_SEALING_KEY',
  string
>;

export interface ServiceRow {
  name: string;
  /** The PostgreSQL database that is its own. */
  database?: ServiceDatabase;
  needs: readonly (keyof Shared)[];
  /** What it is told because a further process of it runs beside it. */
  env?: Readonly<Record<string, string>>;
}

const OBJECT_STORE = ['S3_ENDPOINT', 'S3_PUBLIC_URL', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'S3_BUCKET'] as const;
const REDIS = ['REDIS_URL', 'REDIS_PREFIX'] as const;

/** The services, and what each is told. Its program is `services/<name>/src/main.ts`. */
export const services: readonly ServiceRow[] = [
  { name: 'auth', database: 'auth', needs: ['PUBLIC_URL', 'KEY_ENCRYPTION_SECRET', 'LINK_SEALING_KEY'] },
  { name: 'users', database: 'users', needs: [] },
  { name: 'projects', database: 'projects', needs: [] },
  { name: 'meetings', database: 'meetings', needs: [] },
  { name: 'documents', database: 'documents', needs: OBJECT_STORE },
  { name: 'chat', database: 'chat', needs: [...REDIS, ...OBJECT_STORE], env: { CHAT_ROLE: 'sockets' } },
  { name: 'notifications', needs: ['MONGO_URL', 'SMTP_URL', 'PUBLIC_URL', 'LINK_SEALING_KEY'] },
];

/** A further process of a service, which does a part of its work. */
export interface SideProcess {
  name: string;
  service: string;
  /** What it is told otherwise than its service. */
  env: Readonly<Record<string, string>>;
}

/** Of the images there are no others: `chat-files` takes in the files of messages, past the process that has the sockets. */
export const sideProcesses: readonly SideProcess[] = [
  { name: 'chat-files', service: 'chat', env: { CHAT_ROLE: 'files' } },
];

/** What the gateway is told besides the address of each service. */
export const gatewayNeeds: readonly (keyof Shared)[] = [...REDIS, 'S3_ENDPOINT', 'S3_BUCKET'];
