import { z } from 'zod';
import { networkList } from '../http/network-list.ts';
import { traceEnv } from '../observe/trace-config.ts';
import { secretText, secretUrl } from './secret-value.ts';

/**
 * The configuration every service has. Units stand in the names; addresses are URLs. What a variable means is said here, in its
 * description, from which docs/self-hosting/configuration.md is made; `secret: true` is for what must not be told.
 */
export const baseEnv = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).describe('where it listens'),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('the address of the machine on which it listens; `0.0.0.0` is all of them, `::` those of IPv6 as well'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('the least that is written to the log'),
  ...traceEnv.shape,
  NATS_URL: z
    .string()
    .min(1)
    .refine(
      (list) => !list.includes('@'),
      'must hold no credentials: they are given by NATS_USER and NATS_PASSWORD, or NATS_CREDS',
    )
    .describe('the servers of NATS, comma-separated, without credentials'),
  NATS_USER: z
    .string()
    .optional()
    .describe(
      'who it is to NATS; any user that has the rights of the service. A password alone is that of the user with the name of the service',
    ),
  NATS_PASSWORD: secretText().optional().meta({ description: 'the password of that user', secret: true }),
  NATS_CREDS: z.string().optional().describe('in place of user and password: a credentials file, as `nsc` writes it'),
  NATS_TLS_CA: z
    .string()
    .optional()
    .describe(
      'a PEM file: the authority of NATS. With it or a certificate, or an address `tls://…`, the line is encrypted, or there is none',
    ),
  NATS_TLS_CERT: z.string().optional().describe('a PEM file: the certificate by which it is known to NATS'),
  NATS_TLS_KEY: z.string().optional().describe('a PEM file: the key of that certificate'),
  NATS_PREFIX: z
    .string()
    .regex(/^[a-z0-9_]+$/, 'may hold a-z, 0-9 and _ only')
    .default('atrium')
    .describe('begins the names of streams, subjects and buckets'),
  NATS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1).describe('copies of each stream and bucket'),
  AUTH_JWKS_URL: z
    .url()
    .optional()
    .describe(
      'where the keys of access tokens are: `http://<auth>/.well-known/jwks.json`. auth has them itself; the gateway asks at `AUTH_URL` unless told otherwise',
    ),
  DIRECTORY_MAX_AGE_SECONDS: z.coerce
    .number()
    .min(1)
    .default(300)
    .describe(
      'how old what is known of people may be, as when NATS is away: auth signs in and renews sessions for so long, and meetings answers calendar programs, then they answer 503; whoever is signed in works on until the access token ends',
    ),
  TRUSTED_PROXIES: networkList.describe(
    'addresses or networks whose `X-Forwarded-For` counts; for a service the gateway’s, else everything seems to come from it',
  ),
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(120)
    .default(0)
    .describe(
      'how long a process that was told to stop still serves, not ready any more, before its port closes; behind a load balancer as long as that takes to look',
    ),
  CRASH_POINTS_DIR: z
    .string()
    .optional()
    .describe(
      'for tests alone (`npm run test:chaos`), and warned of at start: a folder. A process dies at once at a point whose name a file there bears',
    ),
  SHUTDOWN_TIMEOUT_SECONDS: z.coerce
    .number()
    .min(1)
    .max(300)
    .default(20)
    .describe(
      'how long a process may take to end once its port has closed; half of it is for requests under way, so longer transfers end with a rollout',
    ),
});

/** What of it an operator's tool needs to reach NATS. */
export const natsEnv = baseEnv.pick({
  NATS_URL: true,
  NATS_PREFIX: true,
  NATS_REPLICAS: true,
  NATS_USER: true,
  NATS_PASSWORD: true,
  NATS_CREDS: true,
  NATS_TLS_CA: true,
  NATS_TLS_CERT: true,
  NATS_TLS_KEY: true,
});

/** What the command `streams` needs: it creates streams and buckets, and knows no store but NATS. */
export const streamsEnv = natsEnv.extend({ LOG_LEVEL: baseEnv.shape.LOG_LEVEL });

/** The further configuration of a service with a PostgreSQL database of its own. */
export const postgresEnv = baseEnv.extend({
  DATABASE_URL: secretUrl.meta({
    description: 'its PostgreSQL database, with role and password',
    secret: true,
  }),
  DATABASE_DIRECT_URL: secretUrl.optional().meta({
    description:
      'the same database, past a pooler that `DATABASE_URL` leads to: migrations hold a lock of their connection ([how](pgbouncer.md))',
    secret: true,
  }),
  MIGRATIONS: z
    .enum(['run', 'wait'])
    .default('run')
    .describe(
      '`run`: a starting process brings the schema up to date; `wait`: it waits until the command `migrate` (`node src/main.ts migrate`) has done so',
    ),
  DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(2)
    .max(200)
    .default(10)
    .describe('connections for requests; the relay and housekeeping have two more'),
});

/** What the command `migrate` needs of it: whoever makes tables has no use for keys, nor for NATS. */
export const migrateEnv = postgresEnv.pick({
  DATABASE_URL: true,
  DATABASE_DIRECT_URL: true,
  LOG_LEVEL: true,
  CRASH_POINTS_DIR: true,
});

export type BaseConfig = z.infer<typeof baseEnv>;
export type PostgresConfig = z.infer<typeof postgresEnv>;
export type MigrateConfig = z.infer<typeof migrateEnv>;
export type StreamsConfig = z.infer<typeof streamsEnv>;

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
