import { startPollingLoop } from '../../process/polling-loop.ts';
import { type Bulkhead, type Delivery, deliverInOrder } from './deliver-in-order.ts';
import { MAX_ACK_PENDING } from './durable.ts';
import type { ConsumerDeps } from './process-event.ts';

const CHECK_INTERVAL_MS = 2_000;
/** Pause after stepping down, in which another pod can take over. */
const REST_MS = 3_000;

type LeaderDelivery = {
  isLeader(): boolean;
  /** Starts over: deliveries may have been lost, or the durable was recreated. */
  restart(): void;
  close(): Promise<void>;
};

export function startLeaderDelivery(deps: ConsumerDeps, bulkhead: Bulkhead): LeaderDelivery {
  const { durable, log } = deps;
  let delivery: Delivery | undefined;
  let isStale = false;
  let isSteppingDown = false;
  let pausedUntil = 0;

  const end = async (shouldDrain: boolean) => {
    const endedDelivery = delivery;
    delivery = undefined;
    await endedDelivery?.end(shouldDrain);
    // Otherwise the pin would expire only seconds later. The request may fail because the connection was lost.
    if (endedDelivery?.isLeader()) await durable.unpin().catch(() => undefined);
  };
  const begin = async () => {
    if (performance.now() < pausedUntil) return;
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
    name: `delivery of ${durable.name}`,
    intervalMs: CHECK_INTERVAL_MS,
    retryDelayMs: 500,
    log,
    async round() {
      if (isSteppingDown) pausedUntil = performance.now() + REST_MS;
      if (isSteppingDown || isStale) {
        const shouldDrain = isSteppingDown;
        isSteppingDown = false;
        isStale = false;
        await end(shouldDrain);
      }
      if (!delivery) await begin();
      await delivery?.recheckParked();
      if (delivery?.isLeader()) await durable.setMaxAckPending(MAX_ACK_PENDING + delivery.parkedCount());
      return false;
    },
  });
  function restart() {
    isStale = true;
    loop.wake();
  }
  return {
    isLeader: () => delivery?.isLeader() ?? false,
    restart,
    async close() {
      await loop.close();
      await end(true);
    },
  };
}

/** Whether another pod handles subjects that this pod does not know, so that the other one should lead. */
async function isNewerPodRunning({ durable, subscribers }: ConsumerDeps): Promise<boolean> {
  for (const subject of durable.unknownSubjects()) if (await subscribers.has(subject)) return true;
  return false;
}
