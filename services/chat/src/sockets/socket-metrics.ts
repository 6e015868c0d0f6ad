import { gaugeAtScrape } from '@atrium/service-kit/observability/metrics';
import { Counter, type Registry } from 'prom-client';
import type { SocketServer } from './socket-server.ts';

export type SocketMetrics = {
  /** Called thousands of times per second, so it only increments a number. */
  countDelivery(): void;
  /** The outcome is `ok` or an error code. */
  countEvent(event: string, outcome: string): void;
  countSlow(): void;
};

export function measureSockets(registry: Registry, { chat, live }: SocketServer): SocketMetrics {
  gaugeAtScrape(registry, {
    name: 'sockets_connected',
    help: 'Sockets on this pod; a browser has one per namespace, on one connection',
    // Avoids `namespace`, which is the pod's in Kubernetes.
    labelNames: ['socket_namespace'],
    read: () => [chat, live].map(({ name, sockets }) => ({ labels: { socket_namespace: name }, value: sockets.size })),
  });
  let deliveries = 0;
  new Counter({
    name: 'socket_deliveries_total',
    help: 'Packets sent to connections on this pod: a change sent to a thousand connections counts a thousand times',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(deliveries);
    },
  });
  const events = new Counter({
    name: 'socket_events_total',
    help: 'Events received from sockets, by outcome: ok, or the error code',
    labelNames: ['event', 'outcome'],
    registers: [registry],
  });
  const slowSockets = new Counter({
    name: 'slow_sockets_closed_total',
    help: 'Connections closed because they received more slowly than they were sent to',
    registers: [registry],
  });
  return {
    countDelivery: () => {
      deliveries += 1;
    },
    countEvent: (event, outcome) => events.inc({ event, outcome }),
    countSlow: () => slowSockets.inc(),
  };
}
