import type { ServiceDatabase } from '../backing/servers/postgres-databases.ts';

/** Values that the launcher can pass to processes, by environment variable. */
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
  /** The PostgreSQL database of the service. */
  database?: ServiceDatabase;
  needs: readonly (keyof Shared)[];
  /** Environment variables of the main process if the service has additional ones. */
  env?: Readonly<Record<string, string>>;
}

const OBJECT_STORE = ['S3_ENDPOINT', 'S3_PUBLIC_URL', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'S3_BUCKET'] as const;
const REDIS = ['REDIS_URL', 'REDIS_PREFIX'] as const;

/** The services and their environment. The program of each is `services/<name>/src/main.ts`. */
export const services: readonly ServiceRow[] = [
  { name: 'auth', database: 'auth', needs: ['PUBLIC_URL', 'KEY_ENCRYPTION_SECRET', 'LINK_SEALING_KEY'] },
  { name: 'users', database: 'users', needs: [] },
  { name: 'projects', database: 'projects', needs: [] },
  { name: 'meetings', database: 'meetings', needs: [] },
  { name: 'documents', database: 'documents', needs: OBJECT_STORE },
  { name: 'chat', database: 'chat', needs: [...REDIS, ...OBJECT_STORE], env: { CHAT_ROLE: 'sockets' } },
  { name: 'notifications', needs: ['MONGO_URL', 'SMTP_URL', 'PUBLIC_URL', 'LINK_SEALING_KEY'] },
];

/** An additional process of a service that does part of its work. */
export interface SideProcess {
  name: string;
  service: string;
  /** Environment variables that differ from the service. */
  env: Readonly<Record<string, string>>;
}

/** `chat-files` handles uploads for messages, so that they do not slow down the process with the sockets. */
export const sideProcesses: readonly SideProcess[] = [
  { name: 'chat-files', service: 'chat', env: { CHAT_ROLE: 'files' } },
];

/** Environment variables of the gateway other than service addresses. */
export const gatewayNeeds: readonly (keyof Shared)[] = [...REDIS, 'S3_ENDPOINT', 'S3_BUCKET'];
