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
 * Whether the object store will never accept the request: it responded, neither with an internal nor with a transient
 * error. The client library sets no code for responses that it considers retryable (5xx, 408, 429).
 */
export const isPermanentError = (error: unknown): boolean =>
  error instanceof Error &&
  error.name === 'S3Error' &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code !== '' &&
  !TRANSIENT_CODES.has(error.code);
