import type { Logger } from '@atrium/service-kit/observability/logger';

/**
 * Codes of errors that do not concern the request itself: clock, credentials, a bucket about to be created, and a
 * full or overloaded store (Amazon S3 API, error responses; MinIO's own begin with an X).
 */
const TRANSIENT_CODES: ReadonlySet<unknown> = new Set([
  'RequestTimeTooSkewed',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'NoSuchBucket',
  'OperationAborted',
  'InternalError',
  'ServiceUnavailable',
  'SlowDown',
  'XMinioServerNotInitialized',
  'XMinioStorageFull',
]);

/**
 * A permanent response is neither an internal nor a transient error. The client library sets no code for
 * responses that it considers retryable (5xx, 408, 429).
 */
export const isPermanentError = (error: unknown): boolean =>
  error instanceof Error &&
  error.name === 'S3Error' &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code !== '' &&
  !TRANSIENT_CODES.has(error.code);

export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));

export function createAvailability(log: Logger) {
  let isAvailable = true;
  const listeners: (() => void)[] = [];
  return {
    available: () => isAvailable,
    onAvailable: (listener: () => void) => void listeners.push(listener),
    async watch(request: () => Promise<void>) {
      try {
        await request();
      } catch (error) {
        if (isAvailable)
          log.warn({ err: error }, 'Object store unavailable; uploads and downloads fail until it recovers');
        isAvailable = false;
        return;
      }
      if (isAvailable) return;
      isAvailable = true;
      log.info('Object store available again');
      for (const listener of listeners) listener();
    },
  };
}
