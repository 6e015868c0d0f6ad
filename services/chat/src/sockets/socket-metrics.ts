import { gaugeAtScrape } from '@atrium/service-kit/observability/gauge-at-scrape';
import { Counter, type Registry } from 'prom-client';
import type { Sockets } from './socket-server.ts';

export type SocketMetrics = {
  /** Counts what was sent to one connection; many a second, so it is no more than a number. */
  countDelivery(): void;
  /** Counts an event of a socket by what was answered: `ok`, or the code of the refusal. */
  countEvent(event: string, outcome: string): void;
  /** Counts a connection that was ended because it did not keep up. */
  countSlow(): void;
};

/** What this pod's sockets are, send and hear. */
export function measureSockets(registry: Registry, { chat, live }: Sockets): SocketMetrics {
  gaugeAtScrape(registry, {
    name: 'sockets_connected',
    help: 'Sockets on this pod; a browser has one of each namespace on one connection',
    // `namespace` is the pod's, wherever Kubernetes is scraped.
    labelNames: ['socket_namespace'],
    read: () => [chat, live].map(({ name, sockets }) => ({ labels: { socket_namespace: name }, value: sockets.size })),
  });
  let deliveries = 0;
  new Counter({
    name: 'socket_deliveries_total',
    help: 'Packets sent to connections on this pod: one change that a thousand hear is a thousand',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(deliveries);
    },
  });
  const events = new Counter({
    name: 'socket_events_total',
    help: 'Events that sockets sent, by what was answered: ok, or the code of the refusal',
    labelNames: ['event', 'outcome'],
    registers: [registry],
  });
  const slow = new Counter({
    name: 'slow_sockets_closed_total',
    help: 'Connections ended because they took less than they were sent',
    registers: [registry],
  });
  return {
    countDelivery: () => {
      deliveries += 1;
    },
    countEvent: (event, outcome) => events.inc({ event, outcome }),
    countSlow: () => slow.inc(),
  };
}
