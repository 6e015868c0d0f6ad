import { PULL_MS } from '../messaging.ts';
import { ACK_WAIT_MS } from './durable.ts';
import { type ConsumerDeps, processEvent } from './process-event.ts';

const REQUEUE_DELAY_MS = 100;

/** Delivers a durable's events to any pod, with limited concurrency across pods, in no order. */
export async function deliverUnordered(deps: ConsumerDeps, inFlight: number): Promise<{ end(): Promise<void> }> {
  const { durable, messaging } = deps;
  const consumer = await messaging.js.consumers.get(durable.stream, durable.name);
  const ending = new AbortController();
  const under = new Set<Promise<void>>();
  const options = { signal: ending.signal, attempt: (run: () => Promise<void>) => run(), canPark: false };
  const messages = await consumer.consume({
    max_messages: Math.max(2, inFlight * 2),
    expires: PULL_MS,
    callback: (message) => {
      const working = setInterval(() => message.working(), ACK_WAIT_MS / 3);
      const work = processEvent(message, deps, options)
        .then((outcome) => {
          if (outcome === 'deferred') message.nak();
          if (outcome === 'unhandled') message.nak(REQUEUE_DELAY_MS);
        })
        .finally(() => {
          clearInterval(working);
          under.delete(work);
        });
      under.add(work);
    },
  });
  return {
    async end() {
      ending.abort();
      await messages.close();
      await Promise.allSettled(under);
    },
  };
}
