import { z } from 'zod';
import { secretKey, secretUrl } from './secret-value.ts';
import { trimTrailingSlashes } from './trim-slashes.ts';

/** Variables that several processes read, and must read alike. */
export const publicUrl = z
  .url()
  .transform(trimTrailingSlashes)
  .describe('the address that people open; links begin with it');

export const linkSealingKey = secretKey.meta({
  description: '32 bytes, base64url: seals links with a secret in events. The same for both',
  secret: true,
});

export const redisUrl = secretUrl.pipe(z.url()).meta({
  description:
    'sockets across pods, presence, rate limits, with user and password; `rediss://…` encrypts, and an authority of one’s own goes into `NODE_EXTRA_CA_CERTS`, a PEM file that Node reads',
  secret: true,
});

export const redisPrefix = z.string().min(1).default('atrium').describe('begins the names of what is kept in Redis');

export const objectStoreUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .describe('where it reaches the object store');

export const objectStorePublicUrl = objectStoreUrl
  .refine((url) => new URL(url).pathname === '/', 'must have no path')
  .describe(
    'where browsers reach it: links are signed for this host. Where that is not the address of the product, pages may show files from there',
  );

export const objectStoreBucket = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be a bucket name')
  .describe('the bucket of all files, and the path at which the gateway lets browsers read it');

export const corsOrigins = z
  .string()
  .default('')
  .transform((list) => list.split(',').map((name) => name.trim()))
  .transform((list) => list.filter((name) => name !== ''))
  .describe('other origins that may call the API and open sockets from a browser; the same for both');

export const socketRateLimit = z.coerce
  .number()
  .int()
  .min(1)
  .default(12_000)
  .describe(
    'new sockets a minute, for each address; chat counts those of each of its pods, also where an ingress leads them past the gateway',
  );

export const connectionsPerAddress = z.coerce
  .number()
  .int()
  .min(1)
  .default(20_000)
  .describe(
    'open connections from one address; none from a trusted proxy is refused, but the sockets that chat has of a client behind it',
  );
