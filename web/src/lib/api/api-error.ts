import type { FieldError } from '@atrium/proto-events/errors';
import { isRecord } from '../is-record.ts';

export const NETWORK_MESSAGE = 'Network error - please check your connection';
const UNKNOWN_MESSAGE = 'An error occurred';
const REQUEST_MESSAGE = 'Request failed';
export const NO_REFRESH_TOKEN = 'No refresh token available';

type Details = {
  /** HTTP status; 0 without a response. */
  status: number;
  code: string;
  messages: readonly string[];
  errors?: readonly FieldError[];
  requestId?: string | undefined;
  /** The current resource, if the code is `stale_version`. */
  current?: unknown;
  retryAfterMs?: number | undefined;
};

/** Any failed call. `message` can be shown to the user. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly messages: readonly string[];
  readonly errors: readonly FieldError[];
  readonly requestId: string | undefined;
  readonly current: unknown;
  readonly retryAfterMs: number | undefined;
  /** Whether the server wrote `message`. */
  readonly fromServer: boolean;

  constructor(details: Details, fallback: string) {
    super(details.messages.join(', ') || fallback);
    this.name = 'ApiError';
    this.status = details.status;
    this.code = details.code;
    this.messages = details.messages;
    this.errors = details.errors ?? [];
    this.requestId = details.requestId;
    this.current = details.current;
    this.retryAfterMs = details.retryAfterMs;
    this.fromServer = details.messages.length > 0;
  }
}

export function networkError(): ApiError {
  return new ApiError({ status: 0, code: 'network', messages: [] }, NETWORK_MESSAGE);
}

export function requestError(): ApiError {
  return new ApiError({ status: 0, code: 'request_failed', messages: [] }, REQUEST_MESSAGE);
}

export const getRetryAfterMs = (error: unknown): number | undefined =>
  error instanceof ApiError ? error.retryAfterMs : undefined;

/** Whether a retry would fail as well. False after a network error, a server error, or too many requests. */
export function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

type Header = (name: string) => string | null;

export function errorFromResponse(status: number, body: unknown, header: Header = () => null): ApiError {
  const fields = isRecord(body) ? body : {};
  return new ApiError(
    {
      status,
      code: typeof fields.code === 'string' ? fields.code : `http_${status}`,
      messages: parseMessages(fields.message),
      errors: Array.isArray(fields.errors) ? fields.errors.filter(isFieldError) : [],
      requestId: typeof fields.requestId === 'string' ? fields.requestId : (header('x-request-id') ?? undefined),
      retryAfterMs: parseRetryAfterMs(header('retry-after')),
      current: fields.current,
    },
    UNKNOWN_MESSAGE,
  );
}

export function messageOf(error: unknown, fallback: string): string {
  if (error instanceof ApiError && (error.fromServer || error.code === 'network')) return error.message;
  if (error instanceof Error && !(error instanceof ApiError) && error.message) return error.message;
  return fallback;
}

/** Atrium sends seconds, although RFC 9110, section 10.2.3, also allows a date. */
function parseRetryAfterMs(seconds: string | null): number | undefined {
  const value = Number(seconds);
  return seconds !== null && Number.isFinite(value) && value >= 0 ? value * 1_000 : undefined;
}

function parseMessages(message: unknown): string[] {
  const list: unknown[] = Array.isArray(message) ? message : [message];
  return list.filter((item): item is string => typeof item === 'string' && item !== '');
}

function isFieldError(value: unknown): value is FieldError {
  return isRecord(value) && typeof value.path === 'string' && typeof value.message === 'string';
}
