import { postgresEnv, readEnv } from '@atrium/service-kit/process/env';
import { filledIn, secretText } from '@atrium/service-kit/process/secret-value';
import { objectStoreBucket, objectStoreUrl } from '@atrium/service-kit/process/shared-variables';
import { z } from 'zod';
import { MAX_PARTS, PART_BYTES } from './storage/put-object.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
const bytes = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const schema = postgresEnv.extend({
  S3_ENDPOINT: objectStoreUrl,
  S3_PUBLIC_URL: objectStoreUrl
    .refine((url) => new URL(url).pathname === '/', 'must have no path')
    .describe('where browsers reach it: links are signed for this host'),
  S3_ACCESS_KEY: filledIn.describe('who it is to the object store'),
  S3_SECRET_KEY: secretText().meta({ description: 'the secret of that key', secret: true }),
  S3_BUCKET: objectStoreBucket,
  S3_REGION: z.string().min(1).default('us-east-1').describe('the region that requests are signed for'),
  MAX_UPLOAD_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(PART_BYTES * MAX_PARTS)
    .default(512 * MIB)
    .describe('the largest file (512 MiB)'),
  UPLOADS_AT_ONCE: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(16)
    .describe('how many uploads run at a time; each holds one part in memory'),
  UPLOADS_PER_PERSON: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(2)
    .describe('how many uploads of one person run at a time'),
  UPLOAD_QUOTA_PERSON_BYTES: bytes
    .default(50 * GIB)
    .describe('what the documents of one person may take together (50 GiB); 0 is no limit'),
  UPLOAD_QUOTA_WORKSPACE_BYTES: bytes.default(0).describe('what those of everybody may take together; 0 is no limit'),
  UPLOAD_BYTES_PER_SECOND: bytes.default(8_192).describe('an upload that brings less is stopped; 0 lets any wait'),
  UPLOAD_PATIENCE_SECONDS: z.coerce
    .number()
    .min(1)
    .max(3_600)
    .default(30)
    .describe('over how many seconds `UPLOAD_BYTES_PER_SECOND` is measured'),
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
