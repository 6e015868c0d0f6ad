import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { startSpan, TRACEPARENT } from '@atrium/service-kit/observability/tracing';
import { createInFlightLimiter } from '@atrium/service-kit/process/concurrency';
import type { Config } from '../config.ts';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import { sendError, serverBusy } from '../http/error-responses.ts';
import { type GatewayRequest, prepareHeaders } from '../http/gateway-request.ts';
import { forwardResponse } from './forward-response.ts';
import { createProxy, type Forwarder } from './proxy.ts';
import { hasBody } from './request-bodies.ts';
import { getUpstreamUrl, UPSTREAMS, type Upstream } from './upstreams.ts';

/** Limits each service, so that one that hangs does not exhaust the gateway's memory. */
const MAX_IN_FLIGHT_PER_SERVICE = 1_000;

/** Responses that combine secrets and user input are not compressed (BREACH). */
const UNCOMPRESSED_UPSTREAMS: ReadonlySet<Upstream> = new Set(['auth']);

export type ForwardedRequest = { req: IncomingMessage; res: ServerResponse; context: GatewayRequest; body?: Buffer };

type Options = {
  config: Config;
  log: Logger;
  metrics: GatewayMetrics;
  isRetryable: (req: IncomingMessage, path: string, body: Buffer | undefined) => boolean;
};

export function createServices({ config, log, metrics, isRetryable }: Options) {
  const entries = UPSTREAMS.map((name) => {
    const proxy = createProxy({
      name,
      target: getUpstreamUrl(name, config),
      timeoutMs: config.UPSTREAM_TIMEOUT_SECONDS * 1000,
      log,
      onFailure: () => metrics.upstreamFailures.inc({ upstream: name }),
      onResponse: (upstream, res) => forwardResponse(upstream, res, !UNCOMPRESSED_UPSTREAMS.has(name)),
    });
    return [name, proxy] as const;
  });
  const proxies = new Map<Upstream, Forwarder>(entries);
  const inFlight = createInFlightLimiter();
  return {
    forward(upstream: Upstream, { req, res, context, body }: ForwardedRequest) {
      if (!inFlight.acquire(upstream, MAX_IN_FLIGHT_PER_SERVICE)) return sendError(res, serverBusy());
      metrics.countInFlight(upstream, 1);
      res.once('close', () => {
        inFlight.release(upstream);
        metrics.countInFlight(upstream, -1);
      });
      prepareHeaders(req, context);
      const span = startSpan({ name: `to ${upstream}`, kind: 'client' });
      if (span) {
        req.headers[TRACEPARENT] = span.traceparent;
        res.once('close', () => span.end());
      }
      const canResend = body !== undefined || !hasBody(req);
      proxies.get(upstream)?.forward(req, res, {
        body,
        ...(canResend && { isRetryable: () => isRetryable(req, context.normalizedPath, body) }),
      });
    },
    close(): void {
      for (const proxy of proxies.values()) proxy.close();
    },
  };
}
