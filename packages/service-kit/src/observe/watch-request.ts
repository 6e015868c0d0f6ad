import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

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
  /** Further fields of the line, as they are known at the end. */
  fields?: () => object;
};

/**
 * Measures a request and says in one line what became of it: never with what somebody typed, such as a search, and never from where.
 * One whose caller went away, or whose answer broke off, is `aborted`.
 */
export function watchRequest({ req, res, metrics, log, routeOf, fields }: Watched): void {
  const { socket } = req;
  const start = performance.now();
  const sentBefore = socket.bytesWritten;
  res.once('close', () => {
    const ms = performance.now() - start;
    const { method = '' } = req;
    const route = routeOf();
    const status = res.writableFinished ? res.statusCode : 'aborted';
    metrics.requests.observe({ method, route, status }, ms / 1_000);
    if (route === PROBE) return;
    const bytes = socket.bytesWritten - sentBefore;
    const line = { method, route, status, ms: Math.round(ms * 10) / 10, bytes, ...fields?.() };
    log[typeof status === 'number' && status >= 500 ? 'warn' : 'info'](line, 'request');
  });
}
