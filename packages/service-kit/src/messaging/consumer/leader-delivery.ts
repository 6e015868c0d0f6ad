import { startPollingLoop } from '../../process/polling-loop.ts';
import { type Bulkhead, type Delivery, deliverInOrder } from './deliver-in-order.ts';
import { MAX_ACK_PENDING } from './durable.ts';
import type { ConsumerDeps } from './process-event.ts';

const CHECK_INTERVAL_MS = 2_000;
const REST_MS = 3_000;

type LeaderDelivery = {
  leads(): boolean;
  /** Starts over, since deliveries may have been lost or the durable was recreated. */
  restart(): void;
  close(): Promise<void>;
};

export function startLeaderDelivery(deps: ConsumerDeps, bulkhead: Bulkhead): LeaderDelivery {
  const { durable, log } = deps;
  let delivery: Delivery | undefined;
  let isStale = false;
  let isSteppingDown = false;
  let restsUntil = 0;

  const end = async (isOrderly: boolean) => {
    const ended = delivery;
    delivery = undefined;
    await ended?.end(isOrderly);
    // Otherwise the pin would expire seconds later. A request that fails may have been lost with the connection.
    if (ended?.leads()) await durable.unpin().catch(() => undefined);
  };
  const begin = async () => {
    if (performance.now() < restsUntil) return;
    await durable.reconcile();
    if (await isNewerPodRunning(deps)) return;
    delivery = await deliverInOrder(deps, {
      bulkhead,
      onUnhandled() {
        isSteppingDown = true;
        loop.wake();
      },
      onLost: restart,
    });
  };
  const loop = startPollingLoop({
    what: `delivery of ${durable.name}`,
    intervalMs: CHECK_INTERVAL_MS,
    retryDelayMs: 500,
    log,
    async round() {
      if (isSteppingDown) restsUntil = performance.now() + REST_MS;
      if (isSteppingDown || isStale) {
        const isOrderly = isSteppingDown;
        isSteppingDown = false;
        isStale = false;
        await end(isOrderly);
      }
      if (!delivery) await begin();
      await delivery?.recheckParked();
      if (delivery?.leads()) await durable.setMaxAckPending(MAX_ACK_PENDING + delivery.parked());
      return false;
    },
  });
  function restart() {
    isStale = true;
    loop.wake();
  }
  return {
    leads: () => delivery?.leads() ?? false,
    restart,
    async close() {
      await loop.close();
      await end(true);
    },
  };
}

/** Whether another pod handles subjects that this pod does not know: that one should lead. */
async function isNewerPodRunning({ durable, subscribers }: ConsumerDeps): Promise<boolean> {
  for (const subject of durable.unknown()) if (await subscribers.has(subject)) return true;
  return false;
}
