import type { Registry } from 'prom-client';
import { gaugeAtScrape, shareInFlight } from './gauge-at-scrape.ts';

/** A pod's view of a subscription's durable consumer, which all pods of the service share. */
export type ConsumerSource = {
  name: string;
  /** Undelivered and unacknowledged events, across all pods. */
  lag: () => Promise<{ pending: number; inFlight: number }>;
  /** Whether this pod delivers; undefined if all pods do. */
  leads: () => boolean | undefined;
};

export type ConsumerMetrics = {
  /** Adds a consumer to the metrics; returns a function that removes it. */
  follow(source: ConsumerSource): () => void;
};

/** The lag of each consumer, as NATS counts it, and whether this pod leads it. */
export function measureConsumers(registry: Registry): ConsumerMetrics {
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
        (await readAll()).flatMap((one) => {
          const value = one[key];
          return value === undefined ? [] : [{ labels: { consumer: one.name }, value }];
        }),
    });
  gauge('consumer_pending', 'Events that NATS has not delivered yet; every pod of a service shows the same', 'pending');
  gauge('consumer_ack_pending', 'Events delivered and not acknowledged, over all pods', 'inFlight');
  gaugeAtScrape(registry, {
    name: 'consumer_leader',
    help: 'Whether this pod delivers the events of the consumer (1) or another one does (0)',
    labelNames,
    read: () =>
      [...sources].flatMap(({ name, leads }) => {
        const leading = leads();
        return leading === undefined ? [] : [{ labels: { consumer: name }, value: Number(leading) }];
      }),
  });
  return {
    follow(source) {
      sources.add(source);
      return () => void sources.delete(source);
    },
  };
}
