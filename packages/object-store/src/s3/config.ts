import { filledIn, secretText } from '@atrium/service-kit/process/secret-value';
import { objectStoreBucket, objectStorePublicUrl, objectStoreUrl } from '@atrium/service-kit/process/shared-variables';
import { z } from 'zod';
import { MAX_PARTS, PART_BYTES } from './part-limits.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
const bytes = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** What a service that keeps objects reads of the environment: where the store is, and who it is there. */
export const s3Env = z.object({
  S3_ENDPOINT: objectStoreUrl,
  S3_PUBLIC_URL: objectStorePublicUrl,
  S3_ACCESS_KEY: filledIn.describe('who it is to the object store'),
  S3_SECRET_KEY: secretText().meta({ description: 'the secret of that key', secret: true }),
  S3_BUCKET: objectStoreBucket,
  S3_REGION: z.string().min(1).default('us-east-1').describe('the region that requests are signed for'),
  S3_ENCRYPTION: z
    .enum(['', 'AES256', 'aws:kms'])
    .default('')
    .describe('asks the store to encrypt each object by this; empty leaves it to the bucket'),
  S3_KMS_KEY: z.string().max(2_048).default('').describe('the key of `aws:kms`, where it is not the bucket’s own'),
  S3_ABORT_UPLOADS_AFTER_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(365)
    .default(0)
    .describe('has the store itself drop uploads in parts after so many days, by a rule of the bucket; 0 sets no rule'),
  ORPHAN_OBJECT_MAX_AGE_HOURS: z.coerce
    .number()
    .min(1)
    .max(24 * 365)
    .default(24)
    .describe('how old an object is that goes because no record names it; longer than any upload'),
});
export type S3Config = z.infer<typeof s3Env>;

/** What of it signs requests. */
export type S3Access = Pick<
  S3Config,
  'S3_ENDPOINT' | 'S3_PUBLIC_URL' | 'S3_ACCESS_KEY' | 'S3_SECRET_KEY' | 'S3_BUCKET' | 'S3_REGION'
>;

/** What a service that takes in files reads besides. */
export const uploadEnv = z.object({
  MAX_UPLOAD_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(PART_BYTES * MAX_PARTS)
    .default(512 * MIB)
    .describe('the largest file (512 MiB)'),
  MAX_CONCURRENT_UPLOADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(16)
    .describe('how many uploads run at a time; each holds two parts of 5 MiB in memory'),
  MAX_CONCURRENT_UPLOADS_PER_USER: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(2)
    .describe('how many uploads of one person run at a time'),
  USER_STORAGE_QUOTA_BYTES: bytes
    .default(50 * GIB)
    .describe(
      'what the files of one person may take together (50 GiB), documents and files in chat each for themselves; 0 is no limit',
    ),
  WORKSPACE_STORAGE_QUOTA_BYTES: bytes
    .default(100 * GIB)
    .describe(
      'what the files of all people may take together (100 GiB), likewise: set both services to less than the store has; 0 is no limit, and then no alert comes before the store is full',
    ),
  MIN_UPLOAD_BYTES_PER_SECOND: bytes.default(8_192).describe('an upload that brings less is stopped; 0 lets any wait'),
  UPLOAD_STALL_WINDOW_SECONDS: z.coerce
    .number()
    .min(1)
    .max(3_600)
    .default(30)
    .describe('over how many seconds `MIN_UPLOAD_BYTES_PER_SECOND` is measured'),
});

/** All that a service reads of the environment to keep files. */
export const filesEnv = s3Env.extend(uploadEnv.shape);
export type FilesConfig = z.infer<typeof filesEnv>;
