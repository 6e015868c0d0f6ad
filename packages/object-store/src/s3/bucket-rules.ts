import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Client, LifecycleConfig } from 'minio';
import type { S3Config } from './config.ts';

/** The headers that request server-side encryption (Amazon S3 API, PutObject). */
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
 * Configures the bucket to abort unfinished uploads below `prefix`, if enabled; other rules are unchanged. If the
 * store does not support such rules (MinIO has its own setting) or denies them, that is logged once: the sweep does
 * the same.
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
    log.warn({ err: error }, 'Failed to set the lifecycle rule for unfinished uploads');
  }
}

/** A bucket without rules responds with an error (Amazon S3 API, GetBucketLifecycleConfiguration). */
async function presentRules(client: Client, bucket: string): Promise<LifecycleConfig['Rule']> {
  try {
    return rulesOf(await client.getBucketLifecycle(bucket));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'NoSuchLifecycleConfiguration') return [];
    throw error;
  }
}

/** A single rule is an object, several are an array (the client's XML). */
function rulesOf(lifecycle: LifecycleConfig | null): LifecycleConfig['Rule'] {
  const rules: LifecycleConfig['Rule'] | LifecycleConfig['Rule'][number] = lifecycle?.Rule ?? [];
  return Array.isArray(rules) ? rules : [rules];
}
