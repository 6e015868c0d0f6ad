import { isIP } from 'node:net';
import { z } from 'zod';
import { secretKey, secretUrl } from './secret-value.ts';

export const commaSeparated = z
  .string()
  .default('')
  .transform((list) => list.split(',').map((item) => item.trim()))
  .transform((list) => list.filter((item) => item !== ''));

export const publicUrl = z.url().transform(trimTrailingSlashes).describe('URL that people open; links start with it');

export const linkSealingKey = secretKey.meta({
  description: '32 bytes in base64url that encrypt secret links in events; the same value for both processes',
  secret: true,
});

export const days = z.coerce.number().int().min(1).max(3_650);

export const sessionIdleDays = days
  .default(30)
  .describe(
    'days of inactivity after which a session ends, and so do the push notifications of its browser; the same value for both processes',
  );

export const redisUrl = secretUrl.pipe(z.url()).meta({
  description:
    'Redis for sockets across pods, presence, and rate limits, with user and password; `rediss://` for TLS. For a private certificate authority, set `NODE_EXTRA_CA_CERTS` to its PEM file',
  secret: true,
});

export const redisPrefix = z.string().min(1).default('atrium').describe('prefix of keys in Redis');

export const objectStoreUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .describe('URL of the object store');

export const objectStorePublicUrl = objectStoreUrl
  .refine((url) => new URL(url).pathname === '/', 'must have no path')
  .describe(
    'URL of the object store for browsers: links are signed for this host. If it differs from `PUBLIC_URL`, the content security policy allows it',
  );

export const objectStoreBucket = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be a bucket name')
  .describe('bucket of all files, and the path under which the gateway serves it');

export const corsOrigins = commaSeparated.describe(
  'other origins allowed to call the API and open sockets from a browser; the same value for both processes',
);

export const socketRateLimit = z.coerce
  .number()
  .int()
  .min(1)
  .default(12_000)
  .describe(
    'new sockets per minute per IP address; chat counts per pod, even if an ingress routes sockets past the gateway',
  );

export const connectionsPerAddress = z.coerce
  .number()
  .int()
  .min(1)
  .default(20_000)
  .describe(
    'open connections per IP address. Connections from trusted proxies are not limited; chat limits the sockets of each client behind them',
  );

export const networkList = commaSeparated.refine(
  (list) => list.every(isNetwork),
  'holds an item that is neither an address nor a network',
);

export function isNetwork(text: string): boolean {
  const [address = '', bits = '0', ...rest] = text.split('/');
  const maxBits = isIP(address) === 6 ? 128 : 32;
  return isIP(address) !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= maxBits;
}

export function trimTrailingSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
