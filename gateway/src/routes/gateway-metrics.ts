import { gaugeAtScrape } from '@atrium/service-kit/observability/gauge-at-scrape';
import { createMetrics } from '@atrium/service-kit/observability/metrics';
import { Counter } from 'prom-client';
import { UPSTREAMS, type Upstream } from '../upstream/upstreams.ts';

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>;

export function createGatewayMetrics() {
  const metrics = createMetrics('gateway');
  const { registry } = metrics;
  const rateLimitedRequests = new Counter({
    name: 'rate_limited_requests_total',
    help: 'Requests and sockets answered 429, by the budget that was spent',
    labelNames: ['budget'],
    registers: [registry],
  });
  const upstreamFailures = new Counter({
    name: 'upstream_failures_total',
    help: 'Requests and sockets that could not be passed on, or were not answered, by the service',
    labelNames: ['upstream'],
    registers: [registry],
  });
  const untrustedForwards = new Counter({
    name: 'untrusted_forwarded_requests_total',
    help: 'Requests with X-Forwarded-For from an address that TRUSTED_PROXIES does not name: all who come by it count as one',
    registers: [registry],
  });
  const unreadableForwards = new Counter({
    name: 'unreadable_forwards_total',
    help: 'Requests with an X-Forwarded-For of a trusted proxy that holds no address: their clients count as one',
    registers: [registry],
  });
  for (const upstream of [...UPSTREAMS, 'object-store']) upstreamFailures.inc({ upstream }, 0);
  const inFlight = new Map<Upstream, number>(UPSTREAMS.map((name) => [name, 0]));
  gaugeAtScrape(registry, {
    name: 'upstream_in_flight',
    help: 'Requests that are with a service',
    labelNames: ['upstream'],
    read: () => [...inFlight].map(([upstream, value]) => ({ labels: { upstream }, value })),
  });
  return {
    ...metrics,
    rateLimitedRequests,
    upstreamFailures,
    untrustedForwards,
    unreadableForwards,
    countInFlight(service: Upstream, by: 1 | -1): void {
      inFlight.set(service, (inFlight.get(service) ?? 0) + by);
    },
    measureSockets(count: () => number): void {
      gaugeAtScrape(registry, {
        name: 'sockets_open',
        help: 'Sockets that this gateway passes on to chat',
        read: () => [{ value: count() }],
      });
    },
  };
}
