import { isIP } from 'node:net';
import { postgresEnv, readEnv } from '@atrium/service-kit/env';
import { z } from 'zod';

const days = z.coerce.number().int().min(1).max(3_650);

const schema = postgresEnv.extend({
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
  /** Addresses or networks (CIDR) whose `X-Forwarded-For` is believed: the gateway's. */
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((list) => list.split(',').map((item) => item.trim()))
    .transform((list) => list.filter((item) => item !== ''))
    .refine((list) => list.every(isNetwork), 'holds something that is neither an address nor a network'),
});

export type Config = z.infer<typeof schema>;

/** The only reader of the environment; throws one error that lists every fault. */
export function readConfig(source: NodeJS.ProcessEnv): Config {
  return readEnv(schema, source);
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '0', ...rest] = text.split('/');
  const longest = isIP(address) === 6 ? 128 : 32;
  return isIP(address) !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= longest;
}
