import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import type { ActiveSpan } from './tracing.ts';

/** The route of probes and of whoever reads the metrics, which no log tells of. */
export const PROBE = 'probe';
/** The route of whatever has none. */
export const OTHER = 'other';

type Watched = {
  req: IncomingMessage;
  res: ServerResponse;
  metrics: Pick<Metrics, 'requests'>;
  log: Logger;
  /** The pattern, such as `/projects/:id`, as it is known at the end. */
  routeOf: () => string;
  /** Ends with the request, under the name of its route. */
  span?: ActiveSpan | undefined;
  /** Further fields of the line, as they are known at the end. */
  fields?: () => object;
};

/**
 * Measures a request and says in one line what became of it: never with what somebody typed, such as a search, and never from where.
 * One whose caller went away, or whose answer broke off, is `aborted`.
 */
export function watchRequest({ req, res, metrics, log, routeOf, span, fields }: Watched): void {
  const { socket } = req;
  const start = performance.now();
  const sentBefore = socket.bytesWritten;
  res.once('close', () => {
    const ms = performance.now() - start;
    const { method = '' } = req;
    const route = routeOf();
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
