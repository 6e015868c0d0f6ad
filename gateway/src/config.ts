import { baseEnv, readEnv } from '@atrium/service-kit/config/env';
import {
  connectionsPerAddress,
  corsOrigins,
  objectStoreBucket,
  objectStorePublicUrl,
  objectStoreUrl,
  redisPrefix,
  redisUrl,
  socketRateLimit,
} from '@atrium/service-kit/config/shared-variables';
import { z } from 'zod';

const perMinute = z.coerce.number().int().min(1);
const serviceUrl = (name: string) => z.url().describe(`URL of ${name}`);
export const schema = baseEnv
  .pick({
    PORT: true,
    HOST: true,
    LOG_LEVEL: true,
    DRAIN_SECONDS: true,
    SHUTDOWN_TIMEOUT_SECONDS: true,
    TRUSTED_PROXIES: true,
    OTEL_EXPORTER_OTLP_ENDPOINT: true,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: true,
    OTEL_TRACES_SAMPLER: true,
    OTEL_TRACES_SAMPLER_ARG: true,
    AUTH_JWKS_URL: true,
  })
  .extend({
    INTERNAL_PORT: z.coerce
      .number()
      .int()
      .min(0)
      .max(65_535)
      .describe('port for probes and metrics; never expose it publicly'),
    AUTH_URL: serviceUrl('auth'),
    USERS_URL: serviceUrl('users'),
    PROJECTS_URL: serviceUrl('projects'),
    MEETINGS_URL: serviceUrl('meetings'),
    DOCUMENTS_URL: serviceUrl('documents'),
    CHAT_URL: serviceUrl('chat'),
    CHAT_FILES_URL: z
      .url()
      .optional()
      .describe('URL of the chat pods that receive files (`CHAT_ROLE=files`); defaults to `CHAT_URL`'),
    NOTIFICATIONS_URL: serviceUrl('notifications'),
    S3_ENDPOINT: objectStoreUrl.optional(),
    S3_PUBLIC_URL: objectStorePublicUrl.optional(),
    S3_BUCKET: objectStoreBucket.optional(),
    REDIS_URL: redisUrl.optional(),
    REDIS_PREFIX: redisPrefix,
    WEB_ROOT: z.string().optional().describe('folder of the built web app'),
    HSTS_INCLUDE_SUBDOMAINS: z
      .stringbool()
      .prefault('false')
      .describe(
        'whether HSTS covers all subdomains of `PUBLIC_URL` for a year; `true` only if none of them is needed over plain HTTP',
      ),
    CORS_ORIGINS: corsOrigins,
    RATE_LIMIT_PER_USER: perMinute.default(1_200).describe('requests per minute per signed-in user'),
    RATE_LIMIT_PER_IP: perMinute
      .default(12_000)
      .describe(
        'requests per minute per IP address for requests without a token; the default is far above what an office of 5,000 needs on a Monday morning',
      ),
    RATE_LIMIT_SIGN_IN: perMinute
      .default(20)
      .describe('sign-in attempts per minute for an account from one IP address, and for the token of a link'),
    RATE_LIMIT_REFRESH: perMinute.default(60).describe('refreshes per minute per refresh token'),
    RATE_LIMIT_SOCKET: socketRateLimit,
    RATE_LIMIT_DOWNLOAD: perMinute.default(12_000).describe('downloads per minute per IP address'),
    RATE_LIMIT_FEED: perMinute.default(10).describe('requests per minute per calendar feed'),
    RATE_LIMIT_CLIENT_ERRORS: perMinute.default(30).describe('error reports per minute per IP address'),
    MAX_CONNECTIONS_PER_IP: connectionsPerAddress,
    UPSTREAM_TIMEOUT_SECONDS: z.coerce
      .number()
      .min(0.05)
      .default(30)
      .describe('idle timeout of a response: how long a service may send nothing before the response is aborted'),
    BODY_TIMEOUT_SECONDS: z.coerce
      .number()
      .min(0.05)
      .default(10)
      .describe('how long a request body may take to arrive'),
    UPLOAD_TIMEOUT_SECONDS: z.coerce
      .number()
      .min(1)
      .default(3_600)
      .describe('how long an upload may take to arrive; enough for a large file over a slow connection'),
  });

export type Config = z.infer<typeof schema>;

export function readConfig(source: NodeJS.ProcessEnv): Config {
  return readEnv(schema, source);
}
