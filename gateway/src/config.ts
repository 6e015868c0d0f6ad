import { baseEnv, readEnv } from '@atrium/service-kit/process/env';
import { z } from 'zod';

const perMinute = z.coerce.number().int().min(1);
const names = z
  .string()
  .default('')
  .transform((list) =>
    list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );

export const schema = baseEnv
  .pick({ PORT: true, HOST: true, LOG_LEVEL: true, DRAIN_SECONDS: true, SHUTDOWN_SECONDS: true, TRUSTED_PROXIES: true })
  .extend({
    /** Probes and metrics: never on the public port. */
    INTERNAL_PORT: z.coerce.number().int().min(0).max(65_535),
    AUTH_URL: z.url(),
    USERS_URL: z.url(),
    PROJECTS_URL: z.url(),
    MEETINGS_URL: z.url(),
    DOCUMENTS_URL: z.url(),
    CHAT_URL: z.url(),
    NOTIFICATIONS_URL: z.url(),
    /** Where the keys of access tokens are; the auth service's own address unless told otherwise. */
    AUTH_JWKS_URL: z.url().optional(),
    S3_ENDPOINT: z.url().optional(),
    S3_BUCKET: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'is not the name of a bucket')
      .optional(),
    REDIS_URL: z.string().optional(),
    REDIS_PREFIX: z.string().default('atrium'),
    /** Folder of the built web app. */
    WEB_ROOT: z.string().optional(),
    /** Other origins that may call the API from a browser. */
    CORS_ORIGINS: names,
    RATE_LIMIT_USER: perMinute.default(1_200),
    /** For everybody behind one address who shows no token: far above what an office of 5,000 needs on a Monday morning. */
    RATE_LIMIT_ADDRESS: perMinute.default(12_000),
    /** For one account from one address, and for the token of one link. */
    RATE_LIMIT_SIGN_IN: perMinute.default(20),
    /** For one refresh token. */
    RATE_LIMIT_REFRESH: perMinute.default(60),
    RATE_LIMIT_SOCKET: perMinute.default(12_000),
    RATE_LIMIT_DOWNLOAD: perMinute.default(12_000),
    RATE_LIMIT_CLIENT_ERRORS: perMinute.default(30),
    /** Open connections from one address; from a trusted proxy there is no limit. */
    CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).default(20_000),
    /** How long a service may be silent before its answer is given up. */
    UPSTREAM_TIMEOUT_SECONDS: z.coerce.number().min(0.05).default(30),
    /** The longest a request may take to arrive. */
    BODY_TIMEOUT_SECONDS: z.coerce.number().min(0.05).default(10),
    /** The same for an upload: what a large file over a slow line needs. */
    UPLOAD_TIMEOUT_SECONDS: z.coerce.number().min(1).default(3_600),
  });

export type Config = z.infer<typeof schema>;

/** The only reader of the environment; throws one error that lists every fault. */
export function readConfig(source: NodeJS.ProcessEnv): Config {
  return readEnv(schema, source);
}
