import { setTimeout as delay } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

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

type ConsumerSource = {
  name: string;
  /** Counts events of all pods. */
  lag: () => Promise<{ pending: number; inFlight: number }>;
  isLeader: () => boolean | undefined;
};

type ConsumerMetrics = {
  /** Returns a function that removes the source. */
  add(source: ConsumerSource): () => void;
};

function measureConsumers(registry: Registry): ConsumerMetrics {
  const sources = new Set<ConsumerSource>();
  const readAll = shareInFlight(() =>
    Promise.all([...sources].map(async ({ name, lag }) => ({ name, ...(await lag().catch(() => undefined)) }))),
  );
  const labelNames = ['consumer'];
  const gauge = (name: string, help: string, key: 'pending' | 'inFlight') =>
    gaugeAtScrape(registry, {
      name,
      help,
      labelNames,
      read: async () =>
        (await readAll()).flatMap((consumer) => {
          const value = consumer[key];
          return value === undefined ? [] : [{ labels: { consumer: consumer.name }, value }];
        }),
    });
  gauge('consumer_pending', 'Events that NATS has not delivered yet; every pod of a service shows the same', 'pending');
  gauge('consumer_ack_pending', 'Events delivered and not acknowledged, over all pods', 'inFlight');
  gaugeAtScrape(registry, {
    name: 'consumer_leader',
    help: 'Whether this pod delivers the events of the consumer (1) or another one does (0)',
    labelNames,
    read: () =>
      [...sources].flatMap(({ name, isLeader }) => {
        const leading = isLeader();
        return leading === undefined ? [] : [{ labels: { consumer: name }, value: Number(leading) }];
      }),
  });
  return {
    add(source) {
      sources.add(source);
      return () => void sources.delete(source);
    },
  };
}

/** Keeps other metrics available while one source does not respond. */
const READ_TIMEOUT_MS = 1_000;

export type GaugeSample = { value: number; labels?: Record<string, string> };

type Options = {
  name: string;
  help: string;
  labelNames?: readonly string[];
  read: () => readonly GaugeSample[] | Promise<readonly GaugeSample[]>;
  timeoutMs?: number;
};

/** Registers a gauge that is read at each scrape, and has no series while `read` fails or takes too long. */
export function gaugeAtScrape(
  registry: Registry,
  { name, help, labelNames = [], read, timeoutMs = READ_TIMEOUT_MS }: Options,
): void {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      const timeout = delay(timeoutMs, [], { ref: false });
      const samples = await Promise.race([Promise.resolve().then(read), timeout]).catch(() => []);
      this.reset();
      // `reset` leaves a series with the value 0 if there are no labels.
      if (labelNames.length === 0) this.remove();
      for (const { labels = {}, value } of samples) this.set(labels, value);
    },
  });
}

/** Concurrent callers share one call. */
export function shareInFlight<T>(call: () => Promise<T>): () => Promise<T> {
  let callInFlight: Promise<T> | undefined;
  return () => {
    callInFlight ??= call().finally(() => {
      callInFlight = undefined;
    });
    return callInFlight;
  };
}
