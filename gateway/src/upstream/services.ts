import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { beginSpan, TRACEPARENT } from '@atrium/service-kit/observability/tracing';
import type { Config } from '../config.ts';
import { sendError, serverBusy } from '../http/refuse.ts';
import { prepareHeaders, type RequestContext } from '../http/request-context.ts';
import { createInFlightLimiter } from '../rate-limiting/in-flight-limiter.ts';
import type { GatewayMetrics } from '../routes/gateway-metrics.ts';
import { createProxy, type Forwarder, forwardResponse } from './proxy.ts';
import { hasBody } from './request-bodies.ts';
import { addressOf, UPSTREAMS, type Upstream } from './upstreams.ts';

/** Requests that may be with one service at a time; one that hangs must not fill the gateway's memory. */
const MAX_IN_FLIGHT = 1_000;

/**
 * Whose answers carry secrets beside what the asker sent: their size must tell nothing of them (BREACH), so they go as they are.
 */
const SECRET: ReadonlySet<Upstream> = new Set(['auth']);

/** What is passed on, with its body where that has been read. */
export type Given = { req: IncomingMessage; res: ServerResponse; context: RequestContext; body?: Buffer };

type Parts = {
  config: Config;
  log: Logger;
  metrics: GatewayMetrics;
  /** Whether a service does the same when it gets the request twice. */
  isRepeatable: (req: IncomingMessage, route: string, body: Buffer | undefined) => boolean;
};

/** The way to each service. */
export function createServices({ config, log, metrics, isRepeatable }: Parts) {
  const entries = UPSTREAMS.map((name) => {
    const proxy = createProxy({
      name,
      target: addressOf(name, config),
      timeoutMs: config.UPSTREAM_TIMEOUT_SECONDS * 1000,
      log,
      onFailure: () => metrics.upstreamFailures.inc({ upstream: name }),
      answer: (upstream, res) => forwardResponse(upstream, res, !SECRET.has(name)),
    });
    return [name, proxy] as const;
  });
  const proxies = new Map<Upstream, Forwarder>(entries);
  const inFlight = createInFlightLimiter();
  return {
    forward(upstream: Upstream, { req, res, context, body }: Given) {
      if (!inFlight.take(upstream, MAX_IN_FLIGHT)) return sendError(res, serverBusy());
      metrics.countInFlight(upstream, 1);
      res.once('close', () => {
        inFlight.give(upstream);
        metrics.countInFlight(upstream, -1);
      });
      prepareHeaders(req, context);
      const span = beginSpan({ name: `to ${upstream}`, kind: 'client' });
      if (span) {
        req.headers[TRACEPARENT] = span.traceparent;
        res.once('close', () => span.end());
      }
      const isWhole = body !== undefined || !hasBody(req);
      proxies.get(upstream)?.forward(req, res, {
        body,
        ...(isWhole && { isRepeatable: () => isRepeatable(req, context.route, body) }),
      });
    },
    close(): void {
      for (const proxy of proxies.values()) proxy.close();
    },
  };
}
