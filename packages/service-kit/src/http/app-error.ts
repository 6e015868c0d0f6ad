import { type ErrorCode, type FieldError, STATUS_OF } from '@atrium/proto-events/errors';

type Extra = {
  /** A list is for validation failures. Without one the message stands alone. */
  messages?: string[];
  errors?: FieldError[];
  /** With `stale_version`: the resource as it is now. */
  current?: unknown;
  retryAfterSeconds?: number;
  /** With `unauthorized`: whose token it was, where its signature is right; for the security log alone. */
  person?: { userId: string; sessionId: string };
  cause?: unknown;
};

/** The one error that a caller is told about: a code, which decides the status, and a sentence for people. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly extra: Extra;

  constructor(code: ErrorCode, message: string, extra: Extra = {}) {
    super(message, { cause: extra.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = STATUS_OF[code];
    this.extra = extra;
  }
}

/** 400 about one field of the body, such as `participants`. */
export function invalidField(field: string, message: string): AppError {
  return new AppError('validation_failed', message, {
    messages: [message],
    errors: [{ path: `body.${field}`, message }],
  });
}

/** 404, also for what the caller may not know to exist. */
export function notFound(what = 'Resource'): AppError {
  return new AppError('not_found', `${what} not found`);
}

/** What is said where there is nothing to say of which part it is. */
export const NOT_AVAILABLE = 'This is not available right now. Please try again in a moment.';

/** 503 for a part that is down; the caller may try again soon. */
export function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, { retryAfterSeconds: 5, cause });
}
