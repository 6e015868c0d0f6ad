import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';

/** Answers that no other try would change: who we are, or what is there. */
const FINAL_ANSWERS = [
  'NoSuchKey',
  'NotFound',
  'NoSuchBucket',
  'AccessDenied',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
];
/** What our own disk says, and no network. */
const OF_THE_DISK = ['ENOSPC', 'EFBIG', 'EDQUOT', 'EIO', 'EROFS', 'ENOENT', 'EACCES', 'EPERM', 'EEXIST'];

export const codeOf = (error: unknown): string => (error as { code?: string }).code ?? '';

const mayPass = (error: unknown) => ![...FINAL_ANSWERS, ...OF_THE_DISK].includes(codeOf(error));

const MOST_PAUSE_MS = 10_000;
/** Ten minutes and some: an object store whose node dies is there again on another one within that. */
const ATTEMPTS = 70;
/** When whoever looks on should know what is waited for. */
const TELL_AT = 5;

export type Persist = <T>(attempt: () => Promise<T>) => Promise<T>;

/**
 * Tries again for some minutes what was asked of the object store: one refusal or broken line among hours of copying is no reason to
 * begin anew. Each attempt must be able to begin from the beginning.
 */
export function persistently(say: (line: string) => void): Persist {
  const policy = retry(handleWhen(mayPass), {
    maxAttempts: ATTEMPTS,
    backoff: new ExponentialBackoff({ initialDelay: 500, maxDelay: MOST_PAUSE_MS }),
  });
  policy.onRetry(({ attempt, ...failure }) => {
    if (attempt !== TELL_AT || !('error' in failure)) return;
    say(`  the object store does not give or take a file, which is tried for ten minutes: ${failure.error.message}`);
  });
  return (attempt) => policy.execute(attempt);
}
