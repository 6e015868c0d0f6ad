import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { measureConsumers } from './consumer-metrics.ts';

/** Metrics of every process; `/metrics` exposes them in the Prometheus text format. */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(service: string) {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the request to the end of its response; the status of an incomplete response is "aborted"',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry],
    }),
    events: new Counter({
      name: 'events_consumed_total',
      help: 'Events by consumer and outcome: done, retried, dead, requeued for another pod, parked while no pod handles them',
      labelNames: ['consumer', 'outcome'],
      registers: [registry],
    }),
    consumers: measureConsumers(registry),
    securityRecordsDropped: new Counter({
      name: 'security_records_dropped_total',
      help: 'Security records that were lost because neither the store nor NATS accepted them in time',
      registers: [registry],
    }),
    shed: new Counter({
      name: 'requests_shed_total',
      help: 'Requests answered 503 because the process was overloaded',
      registers: [registry],
    }),
  };
}
