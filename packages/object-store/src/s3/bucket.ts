import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Client, LifecycleConfig } from 'minio';
import { hasCode } from './availability.ts';
import type { S3Access, S3Config } from './config.ts';
import { type ClockSkew, createSigner } from './presign.ts';

const TIMEOUT_MS = 5_000;

/**
 * Returns whether the bucket exists, and rejects without a valid response. Requests the location, because HEAD requires
 * the permission to list the whole bucket.
 */
export function createBucketCheck(config: S3Access, clock: ClockSkew): () => Promise<boolean> {
  const sign = createSigner(config, new URL(config.S3_ENDPOINT));
  const requestLocation = async () => {
    const url = sign({ method: 'GET', path: [config.S3_BUCKET], query: { location: '' }, time: clock.now() });
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.arrayBuffer();
    return { status: response.status, isClockUpdated: clock.update(response.headers.get('date')) };
  };
  return async () => {
    const first = await requestLocation();
    // The signature may have been rejected because of a skewed clock.
    const { status } = first.status === 403 && first.isClockUpdated ? await requestLocation() : first;
    if (status === 200) return true;
    if (status === 404) return false;
    throw new Error(`The object store responded ${status}`);
  };
}

/** Returns the headers that request server-side encryption (Amazon S3 API, PutObject). */
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
 * Aborts unfinished uploads below `prefix`; other rules are unchanged. If the store does not support such rules
 * (MinIO has its own setting) or denies them, that is only logged, because the sweep also aborts unfinished uploads.
 */
export async function ensureLifecycleRule({ load, config, prefix, log }: Options): Promise<void> {
  const days = config.S3_ABORT_UPLOADS_AFTER_DAYS;
  if (days === 0) return;
  const ID = `atrium-unfinished-${prefix.replaceAll('/', '')}`;
  try {
    const client = await load();
    const otherRules = (await readRules(client, config.S3_BUCKET)).filter((rule) => rule.ID !== ID);
    const rule = {
      ID,
      Status: 'Enabled',
      Filter: { Prefix: prefix },
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: days },
    };
    await client.setBucketLifecycle(config.S3_BUCKET, { Rule: [...otherRules, rule] });
  } catch (error) {
    log.warn({ err: error }, 'Failed to set the lifecycle rule for unfinished uploads');
  }
}

async function readRules(client: Client, bucket: string): Promise<LifecycleConfig['Rule']> {
  try {
    const lifecycle = await client.getBucketLifecycle(bucket);
    // A single rule is an object, several are an array (the client's XML).
    const rules: LifecycleConfig['Rule'] | LifecycleConfig['Rule'][number] = lifecycle?.Rule ?? [];
    return Array.isArray(rules) ? rules : [rules];
  } catch (error) {
    if (hasCode(error, 'NoSuchLifecycleConfiguration')) return [];
    throw error;
  }
}
