import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPreviewContentType } from '@atrium/proto-events/preview-kind';
import { AppError, notFound, unavailable } from '@atrium/service-kit/errors/app-error';
import { addressBlock } from '@atrium/service-kit/http/client-info';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { createInFlightLimiter } from '@atrium/service-kit/process/concurrency';
import type { Config } from '../config.ts';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import { sendError, tooManyRequests } from '../http/error-responses.ts';
import { type GatewayRequest, prepareHeaders } from '../http/gateway-request.ts';
import { type SecurityHeaders, setHeaders } from '../http/security-headers.ts';
import type { RateLimiters } from '../rate-limiting/rate-limit.ts';
import { createProxy } from './proxy.ts';

type DownloadProxy = {
  matches(path: string): boolean;
  handle(req: IncomingMessage, res: ServerResponse, context: GatewayRequest): void;
  close(): void;
};

const MAX_DOWNLOADS = 500;
const MAX_DOWNLOADS_PER_IP = 250;

type Options = {
  config: Config;
  headers: SecurityHeaders;
  rateLimiters: RateLimiters;
  log: Logger;
  metrics: GatewayMetrics;
};

/** Forwarded response headers; all others describe the object store. */
const FILE_HEADERS = [
  'accept-ranges',
  'content-disposition',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'last-modified',
] as const;

/** The store verifies signatures, which cover `Host`. Only links that were signed for it show safe types inline. */
export function createDownloadProxy({
  config,
  headers,
  rateLimiters,
  log,
  metrics,
}: Options): DownloadProxy | undefined {
  const { S3_ENDPOINT, S3_BUCKET } = config;
  if (S3_ENDPOINT === undefined || S3_BUCKET === undefined) return undefined;
  const prefix = `/${S3_BUCKET}/`;
  const proxy = createProxy({
    name: 'object-store',
    target: new URL(S3_ENDPOINT),
    timeoutMs: config.UPSTREAM_TIMEOUT_SECONDS * 1000,
    log,
    onFailure: () => metrics.upstreamFailures.inc({ upstream: 'object-store' }),
    onResponse: respondWithFile,
  });
  const inFlight = createInFlightLimiter();
  const admit = (subnet: string, res: ServerResponse): boolean => {
    if (!inFlight.acquire('all', MAX_DOWNLOADS)) return false;
    const isAdmitted = inFlight.acquire(subnet, MAX_DOWNLOADS_PER_IP);
    res.once('close', () => {
      inFlight.release('all');
      if (isAdmitted) inFlight.release(subnet);
    });
    return isAdmitted;
  };
  return {
    matches: (path) => `${path}/`.startsWith(prefix.toLowerCase()),
    close: proxy.close,
    handle(req, res, context) {
      setHeaders(res, headers.storedFile);
      const rejection = findRejection(req, context.path.slice(prefix.length));
      if (rejection) return sendError(res, rejection);
      const subnet = addressBlock(context.client.address);
      const retryAfterSeconds = rateLimiters.download.consume(subnet);
      if (retryAfterSeconds > 0) return sendError(res, tooManyRequests(retryAfterSeconds));
      if (!admit(subnet, res)) return sendError(res, tooManyDownloads());
      prepareHeaders(req, context);
      // The store rejects requests with two kinds of authentication.
      delete req.headers.authorization;
      delete req.headers.cookie;
      proxy.forward(req, res);
    },
  };
}

const tooManyDownloads = () =>
  new AppError('unavailable', 'Too many downloads are running. Please try again in a moment.', {
    retryAfterSeconds: 5,
  });

function findRejection(req: IncomingMessage, key: string): AppError | undefined {
  const query = new URLSearchParams(req.url?.split('?')[1] ?? '');
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  return isRead && key !== '' && query.has('X-Amz-Signature') ? undefined : notFound();
}

function respondWithFile(upstream: IncomingMessage, res: ServerResponse): void {
  const status = upstream.statusCode ?? 502;
  if (status >= 400) {
    upstream.resume();
    sendError(res, fileError(status));
    return;
  }
  for (const name of FILE_HEADERS) {
    const value = upstream.headers[name];
    if (value !== undefined) res.setHeader(name, value);
  }
  const disposition = upstream.headers['content-disposition'] ?? '';
  if (!/^attachment\b/i.test(disposition) && !canShowInline(upstream, res.req)) {
    res.setHeader('Content-Disposition', 'attachment');
  }
  const cacheControl = upstream.headers['cache-control'] ?? '';
  res.setHeader('Cache-Control', PRIVATE_CACHE_CONTROL.test(cacheControl) ? cacheControl : 'private, no-store');
  res.statusCode = status;
  upstream.pipe(res);
}

const PRIVATE_CACHE_CONTROL = /^private, max-age=\d{1,5}$/;

/** The signature covers the query, so `inline` cannot be added. Object metadata is ignored. */
function canShowInline(upstream: IncomingMessage, req: IncomingMessage): boolean {
  const requestedDisposition =
    new URLSearchParams(req.url?.split('?')[1] ?? '').get('response-content-disposition') ?? '';
  const isInline =
    /^inline;/i.test(requestedDisposition) && /^inline;/i.test(upstream.headers['content-disposition'] ?? '');
  return isInline && isPreviewContentType(upstream.headers['content-type'] ?? '');
}

/** Error pages of the store contain bucket and host names. */
function fileError(status: number): AppError {
  if (status === 404) return notFound('File');
  if (status >= 500) return unavailable('Failed to download file from storage');
  return new AppError('forbidden', 'This download link is no longer valid');
}
