import { type ErrorCode, type FieldError, STATUS_OF } from '@atrium/proto-events/errors';

type Extra = {
  /** For validation errors; otherwise only the message is sent. */
  messages?: string[];
  errors?: FieldError[];
  /** With `stale_version`: the current state of the resource. */
  current?: unknown;
  retryAfterSeconds?: number;
  /** With `unauthorized`: the owner of a token with a valid signature; only for the security log. */
  person?: { userId: string; sessionId: string };
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

/** 404, also for resources whose existence the caller must not learn. */
export function notFound(what = 'Resource'): AppError {
  return new AppError('not_found', `${what} not found`);
}

export const NOT_AVAILABLE = 'This is not available right now. Please try again in a moment.';

export function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, { retryAfterSeconds: 5, cause });
}

type Change = { version: number | undefined; what: string; present: () => unknown };

/**
 * Throws 409 `stale_version` with the current state if a change is based on another version of the row; without a
 * version it is accepted. `what` names the row for people: "this task".
 */
export function assertVersion(row: { version: number }, { version, what, present }: Change): void {
  if (version === undefined || version === row.version) return;
  const message = `Someone else has changed ${what} in the meantime`;
  throw new AppError('stale_version', message, { current: present() });
}
