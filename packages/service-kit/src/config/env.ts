import { z } from 'zod';
import { secretText, secretUrl } from './secret-value.ts';
import { networkList } from './shared-variables.ts';

/**
 * Configures traces with OpenTelemetry's own variables. Its exporter also reads others (headers, timeouts,
 * certificates).
 */
const traceEnv = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe('OTLP/HTTP endpoint for traces, such as `http://otel-collector:4318`; tracing is off if unset'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url().optional().describe('the same, including the path'),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on')
    .describe('which requests are traced, including everything they cause'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1).describe('sampling ratio of `traceidratio`'),
});

export type TraceConfig = z.infer<typeof traceEnv>;

/**
 * Configuration of every process. Names contain the units. `secret: true` marks values that must not be disclosed.
 * docs/self-hosting/configuration.md is generated from the descriptions.
 */
export const baseEnv = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).describe('TCP port to listen on'),
  HOST: z.string().default('127.0.0.1').describe('IP address to listen on; `0.0.0.0` for all, `::` for IPv6 as well'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('minimum level of log lines'),
  ...traceEnv.shape,
  NATS_URL: z
    .string()
    .min(1)
    .refine((list) => !list.includes('@'), 'must hold no credentials: set NATS_USER and NATS_PASSWORD, or NATS_CREDS')
    .describe('NATS servers, comma-separated, without credentials'),
  NATS_USER: z
    .string()
    .optional()
    .describe(
      'NATS user, which needs the permissions of the service. Defaults to the name of the service if only a password is set',
    ),
  NATS_PASSWORD: secretText().optional().meta({ description: 'password of that user', secret: true }),
  NATS_CREDS: z.string().optional().describe('credentials file, as written by `nsc`, instead of user and password'),
  NATS_TLS_CA: z
    .string()
    .optional()
    .describe(
      'PEM file with the certificate authority of NATS. If this, a client certificate, or a `tls://` address is set, connections require TLS',
    ),
  NATS_TLS_CERT: z.string().optional().describe('PEM file with the client certificate for NATS'),
  NATS_TLS_KEY: z.string().optional().describe('PEM file with the key of that certificate'),
  NATS_PREFIX: z
    .string()
    .regex(/^[a-z0-9_]+$/, 'may hold a-z, 0-9 and _ only')
    .default('atrium')
    .describe('prefix of the names of streams, subjects, and buckets'),
  NATS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1).describe('replicas of each stream and bucket'),
  AUTH_JWKS_URL: z
    .url()
    .optional()
    .describe(
      'URL of the public keys of access tokens: `http://<auth>/.well-known/jwks.json`. Not needed by auth; the default of the gateway is derived from `AUTH_URL`',
    ),
  DIRECTORY_MAX_AGE_SECONDS: z.coerce
    .number()
    .min(1)
    .default(300)
    .describe(
      'maximum age of the user directory, which stops being updated when NATS is unavailable. After that, auth rejects sign-ins and session refreshes, and meetings rejects calendar feeds, with 503; signed-in users can continue until their access token expires',
    ),
  TRUSTED_PROXIES: networkList.describe(
    'addresses or networks whose `X-Forwarded-For` is trusted. For a service: those of the gateway, otherwise every request seems to come from it',
  ),
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(120)
    .default(0)
    .describe(
      'how long a stopping process continues to serve requests, while reporting that it is not ready, before it closes its port; at least the check interval of the load balancer',
    ),
  CRASH_POINTS_DIR: z
    .string()
    .optional()
    .describe(
      'for tests only (`npm run test:chaos`); logs a warning at startup. A folder: the process crashes at each crash point for which it contains a file of that name',
    ),
  SHUTDOWN_TIMEOUT_SECONDS: z.coerce
    .number()
    .min(1)
    .max(300)
    .default(20)
    .describe(
      'how long a process has to exit after closing its port; half of it is for requests in flight, so a rollout interrupts longer transfers',
    ),
});

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

export const streamsEnv = natsEnv.extend({ LOG_LEVEL: baseEnv.shape.LOG_LEVEL });

export const postgresEnv = baseEnv.extend({
  DATABASE_URL: secretUrl.meta({
    description: 'PostgreSQL database of the service, with role and password',
    secret: true,
  }),
  DATABASE_DIRECT_URL: secretUrl.optional().meta({
    description:
      'direct URL of the same database if `DATABASE_URL` leads to a connection pooler: migrations hold a session lock ([PgBouncer](pgbouncer.md))',
    secret: true,
  }),
  MIGRATIONS: z
    .enum(['run', 'wait'])
    .default('run')
    .describe(
      '`run`: the process migrates the schema at startup; `wait`: it waits until the command `migrate` (`node src/main.ts migrate`) has done so',
    ),
  DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(2)
    .max(200)
    .default(10)
    .describe('database connections for requests; background work uses two more'),
});

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

/** Throws one error that lists every problem. An empty variable counts as absent. */
export function readEnv<T extends z.ZodType>(schema: T, source: NodeJS.ProcessEnv): z.output<T> {
  const setVariables = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const result = schema.safeParse(setVariables);
  if (result.success) return result.data;
  const errors = result.error.issues.map((issue) => {
    const name = issue.path.join('.');
    return `  ${name}: ${name in setVariables ? issue.message : 'is missing'}`;
  });
  throw new Error(`The configuration has ${errors.length} error(s):\n${errors.join('\n')}`);
}
