import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Client, LifecycleConfig } from 'minio';
import type { S3Config } from './config.ts';

/** The headers that ask for encryption by the store (Amazon S3 API, PutObject). */
export function encryptionHeaders({ S3_ENCRYPTION, S3_KMS_KEY }: S3Config): Record<string, string> {
  if (S3_ENCRYPTION === '') return {};
  return {
    'x-amz-server-side-encryption': S3_ENCRYPTION,
    ...(S3_ENCRYPTION === 'aws:kms' &&
      S3_KMS_KEY !== '' && { 'x-amz-server-side-encryption-aws-kms-key-id': S3_KMS_KEY }),
  };
}

type Options = { load: () => Promise<Client>; config: S3Config; prefix: string; log: Logger };

/**
 * Has the bucket drop the unfinished uploads below `prefix` by itself, where that is configured; rules of others stay as they are.
 * A store that knows no such rules (MinIO has a setting of its own), or does not let us, is said once: our own sweep does the same.
 */
export async function ensureLifecycleRule({ load, config, prefix, log }: Options): Promise<void> {
  const days = config.S3_ABORT_UPLOADS_AFTER_DAYS;
  if (days === 0) return;
  const ID = `atrium-unfinished-${prefix.replaceAll('/', '')}`;
  try {
    const client = await load();
    const others = (await presentRules(client, config.S3_BUCKET)).filter((rule) => rule.ID !== ID);
    const own = {
      ID,
      Status: 'Enabled',
      Filter: { Prefix: prefix },
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: days },
    };
    await client.setBucketLifecycle(config.S3_BUCKET, { Rule: [...others, own] });
  } catch (error) {
    log.warn({ err: error }, 'the object store takes no rule for unfinished uploads');
  }
}

/** A bucket that has no rules answers an error (Amazon S3 API, GetBucketLifecycleConfiguration). */
async function presentRules(client: Client, bucket: string): Promise<LifecycleConfig['Rule']> {
  try {
    return rulesOf(await client.getBucketLifecycle(bucket));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'NoSuchLifecycleConfiguration') return [];
    throw error;
  }
}

/** One rule comes as itself, several as a list (the client's XML). */
function rulesOf(lifecycle: LifecycleConfig | null): LifecycleConfig['Rule'] {
  const rules: LifecycleConfig['Rule'] | LifecycleConfig['Rule'][number] = lifecycle?.Rule ?? [];
  return Array.isArray(rules) ? rules : [rules];
}
