import type { ServiceDatabase } from '../backing/servers/postgres-databases.ts';

export type SharedVariables = Record<
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
  | 'LINK_SEALING_KEY'
  | 'VAPID_PRIVATE_KEY',
  string
>;

export interface ServiceRow {
  name: string;
  database?: ServiceDatabase;
  sharedVariables: readonly (keyof SharedVariables)[];
  env?: Readonly<Record<string, string>>;
}

const OBJECT_STORE = ['S3_ENDPOINT', 'S3_PUBLIC_URL', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'S3_BUCKET'] as const;
const REDIS = ['REDIS_URL', 'REDIS_PREFIX'] as const;

export const services: readonly ServiceRow[] = [
  { name: 'auth', database: 'auth', sharedVariables: ['PUBLIC_URL', 'KEY_ENCRYPTION_SECRET', 'LINK_SEALING_KEY'] },
  { name: 'users', database: 'users', sharedVariables: [] },
  { name: 'projects', database: 'projects', sharedVariables: [] },
  { name: 'meetings', database: 'meetings', sharedVariables: [] },
  { name: 'documents', database: 'documents', sharedVariables: OBJECT_STORE },
  { name: 'chat', database: 'chat', sharedVariables: [...REDIS, ...OBJECT_STORE], env: { CHAT_ROLE: 'sockets' } },
  {
    name: 'notifications',
    sharedVariables: ['MONGO_URL', 'SMTP_URL', 'PUBLIC_URL', 'LINK_SEALING_KEY', 'VAPID_PRIVATE_KEY'],
  },
];

export interface RoleProcess {
  name: string;
  service: string;
  env: Readonly<Record<string, string>>;
}

export const roleProcesses: readonly RoleProcess[] = [
  { name: 'chat-files', service: 'chat', env: { CHAT_ROLE: 'files' } },
];

export const gatewaySharedVariables: readonly (keyof SharedVariables)[] = [...REDIS, 'S3_ENDPOINT', 'S3_BUCKET'];
