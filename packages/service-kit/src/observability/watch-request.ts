import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import type { ActiveSpan } from './tracing.ts';

/** Label of health and metrics requests, which are not logged. */
export const PROBE = 'probe';
/** Label of requests without a route. */
export const OTHER = 'other';

type WatchRequestParams = {
  req: IncomingMessage;
  res: ServerResponse;
  metrics: Pick<Metrics, 'requests'>;
  log: Logger;
  getRoute: () => string;
  span?: ActiveSpan | undefined;
  fields?: () => object;
};

/**
 * Measures a request and logs its outcome in one line, without user input such as a search, and without the IP
 * address. If the client disconnected or the response was incomplete, the status is `aborted`.
 */
export function watchRequest({ req, res, metrics, log, getRoute, span, fields }: WatchRequestParams): void {
  const { socket } = req;
  const start = performance.now();
  const sentBefore = socket.bytesWritten;
  res.once('close', () => {
    const ms = performance.now() - start;
    const { method = '' } = req;
    const route = getRoute();
    const status = res.writableFinished ? res.statusCode : 'aborted';
    metrics.requests.observe({ method, route, status }, ms / 1_000);
    const attributes = { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status };
    span?.end({
      name: `${method} ${route}`,
      attributes,
      ...(isServerError(status) && { error: new Error(`${status}`) }),
    });
    if (route === PROBE) return;
    const bytes = socket.bytesWritten - sentBefore;
    const line = { method, route, status, ms: Math.round(ms * 10) / 10, bytes, ...fields?.() };
    const writeLog = () => log[isServerError(status) ? 'warn' : 'info'](line, 'request');
    if (span) span.run(writeLog);
    else writeLog();
  });
}

const isServerError = (status: number | string) => typeof status === 'number' && status >= 500;
