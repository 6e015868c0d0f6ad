import { type PollingLoop, startPollingLoop } from '../../process/polling-loop.ts';
import { startLeadership } from '../leader-election.ts';
import { type Bulkhead, type Delivery, deliverInOrder } from './deliver-in-order.ts';
import { MAX_ACK_PENDING } from './durable.ts';
import type { ConsumerDeps } from './process-event.ts';

const CHECK_INTERVAL_MS = 2_000;

/** An ordered subscription during the lifetime of its pod: it tries to lead, and delivers while it does. */
export type LeaderDelivery = {
  leads(): boolean;
  /** Starts over, since deliveries may have been lost or the durable was recreated. */
  restart(): void;
  close(): Promise<void>;
};

/** One of all pods delivers a subscription's events (docs/decisions/0020). */
export function startLeaderDelivery(deps: ConsumerDeps, bulkhead: Bulkhead): LeaderDelivery {
  const { service, subscription, messaging, log } = deps;
  let term: LeaderTerm | undefined;
  const leadership = startLeadership({
    messaging,
    service,
    name: subscription.name,
    log,
    canLead: async () => !(await isNewerPodRunning(deps)),
    onTaken() {
      term = startTerm(deps, { bulkhead, holds: leadership.holds, onUnhandled: leadership.stepDown });
    },
    async onEnd(isOrderly) {
      await term?.end(isOrderly);
      term = undefined;
    },
  });
  return {
    leads: leadership.holds,
    restart: leadership.restartTerm,
    close: leadership.close,
  };
}

/** Whether another pod handles subjects that this pod does not know: that one should lead. */
async function isNewerPodRunning({ durable, subscribers }: ConsumerDeps): Promise<boolean> {
  for (const subject of durable.unknown()) if (await subscribers.has(subject)) return true;
  return false;
}

type LeaderTerm = { end(isOrderly: boolean): Promise<void> };

/** One leader term of a pod: it delivers events and raises the limit for parked ones. */
function startTerm(deps: ConsumerDeps, leader: Parameters<typeof deliverInOrder>[1]): LeaderTerm {
  const { durable, log } = deps;
  let delivery: Delivery | undefined;
  const begin = async () => {
    await durable.reconcile();
    if (await isNewerPodRunning(deps)) leader.onUnhandled();
    else delivery = await deliverInOrder(deps, leader);
  };
  const loop: PollingLoop = startPollingLoop({
    what: `delivery of ${durable.name}`,
    intervalMs: CHECK_INTERVAL_MS,
    retryDelayMs: 500,
    log,
    async round() {
      if (!delivery) await begin();
      await delivery?.recheckParked();
      if (delivery) await durable.setMaxAckPending(MAX_ACK_PENDING + delivery.parked());
      return false;
    },
  });
  return {
    async end(isOrderly) {
      await loop.close();
      await delivery?.end(isOrderly);
    },
  };
}
