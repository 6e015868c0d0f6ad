import { postgresEnv, readEnv } from '@atrium/service-kit/process/env';
import { z } from 'zod';

const days = z.coerce.number().int().min(1).max(3_650);

export const schema = postgresEnv.extend({
  /** The address that people open; links begin with it. */
  PUBLIC_URL: z.url().transform((url) => url.replace(/\/+$/, '')),
  /** Whether people may sign up by themselves once there is an administrator. */
  REGISTRATION: z.enum(['invitation', 'open']).default('invitation'),
  /** What whoever registers the first administrator has to know; without one the first to come is it. */
  SETUP_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  /** A session ends after so many days without use, and after so many in all. */
  SESSION_IDLE_DAYS: days.default(30),
  SESSION_MAX_DAYS: days.default(180),
  /** Seals the private signing keys in the database and makes the successors of refresh tokens. */
  KEY_ENCRYPTION_SECRET: z.string().min(16, 'must have at least 16 characters'),
  /** Shared with the notifications service, which opens the links that events carry sealed. */
  LINK_SEALING_KEY: z
    .base64url()
    .transform((text) => new Uint8Array(Buffer.from(text, 'base64url')))
    .refine((key) => key.byteLength === 32, 'must be 32 bytes in base64url'),
});

export type Config = z.infer<typeof schema>;

/** The only reader of the environment; throws one error that lists every fault. */
export function readConfig(source: NodeJS.ProcessEnv): Config {
  return readEnv(schema, source);
}
