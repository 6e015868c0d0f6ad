import { createMetrics, gaugeAtScrape } from '@atrium/service-kit/observability/metrics';
import { Counter } from 'prom-client';

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>;

export function createGatewayMetrics(upstreams: readonly string[]) {
  const metrics = createMetrics('gateway');
  const { registry } = metrics;
  const rateLimitedRequests = new Counter({
    name: 'rate_limited_requests_total',
    help: 'Requests and sockets rejected with 429, by exceeded limit',
    labelNames: ['budget'],
    registers: [registry],
  });
  const upstreamFailures = new Counter({
    name: 'upstream_failures_total',
    help: 'Requests and sockets that could not be forwarded, or got no response',
    labelNames: ['upstream'],
    registers: [registry],
  });
  const untrustedForwards = new Counter({
    name: 'untrusted_forwarded_requests_total',
    help: 'Requests with X-Forwarded-For from an address that is not in TRUSTED_PROXIES: all its clients count as one',
    registers: [registry],
  });
  const unreadableForwards = new Counter({
    name: 'unreadable_forwards_total',
    help: 'Requests from a trusted proxy whose X-Forwarded-For contains no address: all its clients count as one',
    registers: [registry],
  });
  for (const upstream of [...upstreams, 'object-store']) upstreamFailures.inc({ upstream }, 0);
  const inFlight = new Map<string, number>(upstreams.map((name) => [name, 0]));
  gaugeAtScrape(registry, {
    name: 'upstream_in_flight',
    help: 'Requests in flight per service',
    labelNames: ['upstream'],
    read: () => [...inFlight].map(([upstream, value]) => ({ labels: { upstream }, value })),
  });
  return {
    ...metrics,
    rateLimitedRequests,
    upstreamFailures,
    untrustedForwards,
    unreadableForwards,
    countInFlight(service: string, by: 1 | -1): void {
      inFlight.set(service, (inFlight.get(service) ?? 0) + by);
    },
    measureSockets(count: () => number): void {
      gaugeAtScrape(registry, {
        name: 'sockets_open',
        help: 'Open sockets that this gateway forwards to chat',
        read: () => [{ value: count() }],
      });
    },
  };
}
