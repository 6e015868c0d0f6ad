import type { ErrorBody } from '@atrium/proto-events/errors';
import type { ErrorRequestHandler } from 'express';
import { AppError, NOT_AVAILABLE, unavailable } from '../errors/app-error.ts';
import type { Logger } from '../observability/logger.ts';
import { requestContext } from '../observability/request-context.ts';
import { isDatabaseConflict, isDatabaseUnavailable, isUnstorableText } from '../postgres/database-errors.ts';

/** Converts every error to a response, and logs server errors, once. */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, _req, res, _next) => {
    if (res.closed && isAbortError(error)) return;
    const appError = toAppError(error);
    if (appError.status >= 500) log.error({ err: error, code: appError.code }, 'Request failed');
    if (res.headersSent) {
      res.destroy();
      return;
    }
    if (appError.extra.retryAfterSeconds !== undefined)
      res.setHeader('Retry-After', String(appError.extra.retryAfterSeconds));
    res.status(appError.status).json(toErrorBody(appError));
  };
}

/** The work was stopped because the client has disconnected (`closeSignal`). */
const isAbortError = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

export function toErrorBody(error: AppError): ErrorBody {
  const { messages, errors, current } = error.extra;
  return {
    message: messages ?? error.message,
    code: error.code,
    requestId: requestContext.getStore()?.requestId ?? '',
    ...(errors && { errors }),
    ...(current !== undefined && { current }),
  };
}

/** Does not expose causes and messages of drivers. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const type = getBodyParserErrorType(error);
  if (type === 'entity.too.large') return new AppError('too_large', 'The request is too large', { cause: error });
  if (type === 'entity.parse.failed')
    return new AppError('invalid_json', 'The body is not valid JSON', { cause: error });
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') {
    return new AppError('unsupported_media_type', 'Unsupported encoding', { cause: error });
  }
  if (type !== undefined) return new AppError('validation_failed', 'The request could not be read', { cause: error });
  if (error instanceof URIError) return new AppError('not_found', 'Resource not found', { cause: error });
  if (isDatabaseUnavailable(error)) return unavailable(NOT_AVAILABLE, error);
  if (isDatabaseConflict(error)) {
    const message = 'Others are changing the same right now. Please try again in a moment.';
    return new AppError('unavailable', message, { retryAfterSeconds: 1, cause: error });
  }
  if (isUnstorableText(error)) {
    return new AppError('validation_failed', 'The text holds a character that cannot be stored', { cause: error });
  }
  return new AppError('internal', 'Something went wrong', { cause: error });
}

function getBodyParserErrorType(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('type' in error) || !('status' in error)) return undefined;
  return typeof error.status === 'number' && error.status < 500 ? String(error.type) : undefined;
}
