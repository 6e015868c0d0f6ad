import { nonPlaceholder, secretText } from '@atrium/service-kit/config/secret-value';
import { objectStoreBucket, objectStorePublicUrl, objectStoreUrl } from '@atrium/service-kit/config/shared-variables';
import { z } from 'zod';

/**
 * Size of the parts that a form upload is stored in: the S3 minimum, since each upload in flight holds two in memory.
 */
export const STORE_PART_BYTES = 5 * 1024 * 1024;
const MAX_STORE_PARTS = 10_000;

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
const bytes = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const s3Env = z.object({
  S3_ENDPOINT: objectStoreUrl,
  S3_PUBLIC_URL: objectStorePublicUrl,
  S3_ACCESS_KEY: nonPlaceholder.describe('access key of the object store'),
  S3_SECRET_KEY: secretText().meta({ description: 'secret of that key', secret: true }),
  S3_BUCKET: objectStoreBucket,
  S3_REGION: z.string().min(1).default('us-east-1').describe('region for which requests are signed'),
  S3_ENCRYPTION: z
    .enum(['', 'AES256', 'aws:kms'])
    .default('')
    .describe('server-side encryption of each object; empty for the default of the bucket'),
  S3_KMS_KEY: z
    .string()
    .max(2_048)
    .default('')
    .describe('key of `aws:kms`, if it is not the default key of the bucket'),
  S3_ABORT_UPLOADS_AFTER_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(365)
    .default(0)
    .describe('after how many days a lifecycle rule of the bucket aborts multipart uploads; 0 for no rule'),
  ORPHAN_OBJECT_MAX_AGE_HOURS: z.coerce
    .number()
    .min(1)
    .max(24 * 365)
    .default(24)
    .describe('age after which objects without a record are deleted; must be longer than any upload'),
});
export type S3Config = z.infer<typeof s3Env>;

export type S3Access = Pick<
  S3Config,
  'S3_ENDPOINT' | 'S3_PUBLIC_URL' | 'S3_ACCESS_KEY' | 'S3_SECRET_KEY' | 'S3_BUCKET' | 'S3_REGION'
>;

const uploadEnv = z.object({
  MAX_UPLOAD_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(STORE_PART_BYTES * MAX_STORE_PARTS)
    .default(512 * MIB)
    .describe('maximum size of a file (512 MiB)'),
  MAX_CONCURRENT_UPLOADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(16)
    .describe('concurrent uploads; each keeps two parts of 5 MiB in memory'),
  MAX_CONCURRENT_UPLOADS_PER_USER: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(2)
    .describe('concurrent uploads per user'),
  USER_STORAGE_QUOTA_BYTES: bytes
    .default(50 * GIB)
    .describe('storage quota per user (50 GiB), separately for documents and chat; 0 for no limit'),
  WORKSPACE_STORAGE_QUOTA_BYTES: bytes
    .default(100 * GIB)
    .describe(
      'storage quota of the workspace (100 GiB), separately for documents and chat. Their sum should be below the size of the store; 0 for no limit, which disables the alert that the store is filling up',
    ),
  MIN_UPLOAD_BYTES_PER_SECOND: bytes.default(8_192).describe('uploads slower than this are aborted; 0 for no minimum'),
  UPLOAD_STALL_WINDOW_SECONDS: z.coerce
    .number()
    .min(1)
    .max(3_600)
    .default(30)
    .describe('window in which `MIN_UPLOAD_BYTES_PER_SECOND` is measured'),
});

export const filesEnv = s3Env.extend(uploadEnv.shape);
export type FilesConfig = z.infer<typeof filesEnv>;
