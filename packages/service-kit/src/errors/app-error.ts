import { type ErrorCode, type FieldError, STATUS_OF } from '@atrium/proto-events/errors';

type Extra = {
  /** For validation errors; otherwise only the message is sent. */
  messages?: string[];
  errors?: FieldError[];
  /** With `stale_version`: the current state of the resource. */
  current?: unknown;
  retryAfterSeconds?: number;
  /** With `unauthorized`: the owner of a token with a valid signature; only for the security log. */
  tokenOwner?: { userId: string; sessionId: string };
  cause?: unknown;
};

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

export function invalidField(field: string, message: string): AppError {
  return new AppError('validation_failed', message, {
    messages: [message],
    errors: [{ path: `body.${field}`, message }],
  });
}

/** Returns a 404, also for a resource whose existence the caller must not learn. */
export function notFound(label = 'Resource'): AppError {
  return new AppError('not_found', `${label} not found`);
}

export const NOT_AVAILABLE = 'This is not available right now. Please try again in a moment.';

export function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, { retryAfterSeconds: 5, cause });
}

type Change = {
  version: number | undefined;
  /** Names the row in the message, such as "this task". */
  label: string;
  present: () => unknown;
};

/**
 * Throws 409 `stale_version` with the current state if a change is based on a different version of the row. A change
 * without a version is accepted.
 */
export function assertVersion(row: { version: number }, { version, label, present }: Change): void {
  if (version === undefined || version === row.version) return;
  const message = `Someone else changed ${label} while you were editing`;
  throw new AppError('stale_version', message, { current: present() });
}
