import { postgresEnv, readEnv } from '@atrium/service-kit/process/env';
import { z } from 'zod';
import { MAX_PARTS, PART_BYTES } from './storage/put-object.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
const bytes = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const address = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

export const schema = postgresEnv.extend({
  /** Where this process reaches the object store. */
  S3_ENDPOINT: address,
  /** Where browsers reach it: links are signed for this host. */
  S3_PUBLIC_URL: address.refine((url) => new URL(url).pathname === '/', 'must have no path'),
  S3_ACCESS_KEY: z.string().min(1),
  S3_SECRET_KEY: z.string().min(1),
  S3_BUCKET: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be a bucket name'),
  S3_REGION: z.string().min(1).default('us-east-1'),
  MAX_UPLOAD_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(PART_BYTES * MAX_PARTS)
    .default(512 * MIB),
  /** Each upload under way holds one part in memory. */
  UPLOADS_AT_ONCE: z.coerce.number().int().min(1).max(1_000).default(16),
  UPLOADS_PER_PERSON: z.coerce.number().int().min(1).max(1_000).default(2),
  /** What the documents of one person, and of the whole workspace, may take together; 0 is no limit. */
  UPLOAD_QUOTA_PERSON_BYTES: bytes.default(50 * GIB),
  UPLOAD_QUOTA_WORKSPACE_BYTES: bytes.default(0),
  /** An upload that brings less than this, over so many seconds, is stopped; 0 bytes lets any wait. */
  UPLOAD_BYTES_PER_SECOND: bytes.default(8_192),
  UPLOAD_PATIENCE_SECONDS: z.coerce.number().min(1).max(3_600).default(30),
});

export type Config = z.infer<typeof schema>;

/** What of it concerns the object store. */
export type S3Config = Pick<
  Config,
  'S3_ENDPOINT' | 'S3_PUBLIC_URL' | 'S3_ACCESS_KEY' | 'S3_SECRET_KEY' | 'S3_BUCKET' | 'S3_REGION'
>;

/** The only reader of the environment; throws one error that lists every fault. */
export function readConfig(source: NodeJS.ProcessEnv): Config {
  return readEnv(schema, source);
}
