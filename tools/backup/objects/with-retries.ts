import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';

/** S3 errors that a retry cannot fix: credentials, permissions, missing objects. */
const PERMANENT_S3_ERRORS = [
  'NoSuchKey',
  'NotFound',
  'NoSuchBucket',
  'AccessDenied',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
];
const DISK_ERRORS = ['ENOSPC', 'EFBIG', 'EDQUOT', 'EIO', 'EROFS', 'ENOENT', 'EACCES', 'EPERM', 'EEXIST'];

export const getErrorCode = (error: unknown): string => (error as { code?: string }).code ?? '';

const isRetryable = (error: unknown) => ![...PERMANENT_S3_ERRORS, ...DISK_ERRORS].includes(getErrorCode(error));

const MAX_DELAY_MS = 10_000;
/** More than ten minutes: an object store whose node fails is available on another node within that time. */
const ATTEMPTS = 70;
const REPORT_AT_ATTEMPT = 5;

export type Retry = <T>(attempt: () => Promise<T>) => Promise<T>;

/**
 * Retries for several minutes, so that a single error within hours of copying does not fail the backup. Each attempt
 * must start from the beginning.
 */
export function createRetry(print: (line: string) => void): Retry {
  const policy = retry(handleWhen(isRetryable), {
    maxAttempts: ATTEMPTS,
    backoff: new ExponentialBackoff({ initialDelay: 500, maxDelay: MAX_DELAY_MS }),
  });
  policy.onRetry(({ attempt, ...failure }) => {
    if (attempt !== REPORT_AT_ATTEMPT || !('error' in failure)) return;
    print(`  a call to the object store failed; retrying for up to ten minutes: ${failure.error.message}`);
  });
  return (attempt) => policy.execute(attempt);
}
