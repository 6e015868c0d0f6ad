import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorBody } from '@atrium/proto-events/errors';
import { AppError, NOT_AVAILABLE, unavailable } from '@atrium/service-kit/errors/app-error';
import { toErrorBody } from '@atrium/service-kit/http/http-errors';
import { requestContext } from '@atrium/service-kit/observability/request-context';

/** A response that has already started can only be aborted. */
export function sendError(res: ServerResponse, error: AppError): void {
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  const text = JSON.stringify(buildBody(error, String(res.getHeader('x-request-id') ?? '')));
  for (const [name, value] of buildHeaders(error, text)) res.setHeader(name, value);
  res.removeHeader('Content-Encoding');
  res.statusCode = error.status;
  res.end(res.req.method === 'HEAD' ? undefined : text);
}

export function rejectUpgrade(socket: Duplex, error: AppError, requestId: string): void {
  if (socket.destroyed) return;
  const text = JSON.stringify(buildBody(error, requestId));
  const headers = [...buildHeaders(error, text), ['x-request-id', requestId], ['Connection', 'close']];
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines, '', text].join('\r\n'));
}

export const tooManyRequests = (retryAfterSeconds: number) =>
  new AppError('rate_limited', 'Too many requests. Please try again in a moment.', { retryAfterSeconds });

export const upstreamUnavailable = () => unavailable(NOT_AVAILABLE);

export const serverBusy = () =>
  new AppError('unavailable', 'The server is busy. Please try again in a moment.', { retryAfterSeconds: 1 });

function buildBody(error: AppError, requestId: string): ErrorBody {
  return requestContext.run({ requestId }, () => toErrorBody(error));
}

function buildHeaders(error: AppError, text: string): [string, string][] {
  const retryAfter = error.extra.retryAfterSeconds;
  return [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', String(Buffer.byteLength(text))],
    ['Cache-Control', 'no-store'],
    ...(retryAfter === undefined ? [] : [['Retry-After', String(retryAfter)] as [string, string]]),
  ];
}
