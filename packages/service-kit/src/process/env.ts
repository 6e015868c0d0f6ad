import { z } from 'zod';
import { networkList } from '../http/network-list.ts';

/** The configuration every service has. Units stand in the names; addresses are URLs. */
export const baseEnv = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535),
  HOST: z.string().default('127.0.0.1'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  NATS_URL: z
    .string()
    .min(1)
    .refine(
      (list) => !list.includes('@'),
      'must hold no credentials: they are given by NATS_USER and NATS_PASSWORD, or NATS_CREDS',
    ),
  NATS_USER: z.string().optional(),
  NATS_PASSWORD: z.string().optional(),
  /** A credentials file, as `nsc` writes it. */
  NATS_CREDS: z.string().optional(),
  /** PEM files. With any of them, or an address `tls://…`, the connection is encrypted, or there is none. */
  NATS_TLS_CA: z.string().optional(),
  NATS_TLS_CERT: z.string().optional(),
  NATS_TLS_KEY: z.string().optional(),
  NATS_PREFIX: z
    .string()
    .regex(/^[a-z0-9_]+$/, 'may hold a-z, 0-9 and _ only')
    .default('atrium'),
  NATS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
  AUTH_JWKS_URL: z.url().optional(),
  /** How old what is known of people may be, as when NATS is away, for sessions still to be renewed. */
  DIRECTORY_MAX_AGE_SECONDS: z.coerce.number().min(1).default(300),
  /** Whose `X-Forwarded-For` is believed: the gateway's address or network. */
  TRUSTED_PROXIES: networkList,
  /** How long a process that was told to stop still serves, not ready any more, before its port closes. */
  DRAIN_SECONDS: z.coerce.number().min(0).max(15).default(0),
  /** A folder through which tests end a process at the worst moment. */
  CRASH_POINTS: z.string().optional(),
  SHUTDOWN_SECONDS: z.coerce.number().min(1).max(25).default(20),
});

/** The further configuration of a service with a PostgreSQL database of its own. */
export const postgresEnv = baseEnv.extend({
  DATABASE_URL: z.string().min(1),
  /** Whether a starting process brings the schema up to date itself, or waits until `migrate` has done it. */
  MIGRATIONS: z.enum(['run', 'wait']).default('run'),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(10),
});

/** What the command `migrate` needs of it: whoever makes tables has no use for keys, nor for NATS. */
export const migrateEnv = postgresEnv.pick({ DATABASE_URL: true, LOG_LEVEL: true, CRASH_POINTS: true });

export type BaseConfig = z.infer<typeof baseEnv>;
export type PostgresConfig = z.infer<typeof postgresEnv>;
export type MigrateConfig = z.infer<typeof migrateEnv>;

/**
 * Parses the environment, or throws one error that lists every fault at once, so that an operator mends them in one go.
 * An empty variable counts as absent.
 */
export function readEnv<T extends z.ZodType>(schema: T, source: NodeJS.ProcessEnv): z.output<T> {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => {
    const name = issue.path.join('.');
    return `  ${name}: ${name in given ? issue.message : 'is missing'}`;
  });
  throw new Error(`The configuration has ${faults.length} fault(s):\n${faults.join('\n')}`);
}
