/**
 * Refusals that say nothing of the call itself: of the clock and the keys of who calls, of a bucket that is about to be made, and of a
 * store that is full or has too much to do (Amazon S3 API, error responses; MinIO's own begin with an X).
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
 * Whether the object store will not do what it was asked, however often: it has answered, and neither with a fault of its own nor with one
 * that passes. The client library gives no code to the answers that it would try again (5xx, 408, 429).
 */
export const isPermanentError = (error: unknown): boolean =>
  error instanceof Error &&
  error.name === 'S3Error' &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code !== '' &&
  !TRANSIENT_CODES.has(error.code);
