import { deadLetterSubject } from '@atrium/proto-events/dead-letters';
import type { Registry } from 'prom-client';
import { DEAD_LETTERS, type Messaging } from '../messaging/messaging.ts';
import type { Subscription } from '../messaging/subscription.ts';
import { gaugeAtScrape } from './gauge-at-scrape.ts';

/** The number of dead letters per subscription; the same on every pod of a service. */
export function measureDeadLetters(
  registry: Registry,
  service: string,
  { subscriptions, messaging }: { subscriptions: readonly Subscription[]; messaging: Promise<Messaging> },
): void {
  let live: Messaging | undefined;
  void messaging.then((made) => {
    live = made;
  });
  gaugeAtScrape(registry, {
    name: 'dead_letters',
    help: 'Dead letters that have been neither replayed nor dropped',
    labelNames: ['subscription'],
    read: async () => {
      if (!live) return [];
      const { stream, subject, manager } = live;
      const filter = subject(deadLetterSubject(service, '>'));
      const { state } = await manager.streams.info(stream(DEAD_LETTERS), { subjects_filter: filter });
      return subscriptions.map(({ name }) => ({
        labels: { subscription: name },
        value: state.subjects?.[subject(deadLetterSubject(service, name))] ?? 0,
      }));
    },
  });
}
