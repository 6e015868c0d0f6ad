import type { Bulkhead } from '../../process/bulkhead.ts';
import { type PollingLoop, startPollingLoop } from '../../process/polling-loop.ts';
import { startLeadership } from '../leadership.ts';
import { type Delivery, deliverInOrder, WIDE } from './deliver-in-order.ts';
import type { ConsumerDeps } from './settle-event.ts';

const TEND_MS = 2_000;
/** How long pods of before are given to answer: long where much hangs on it, as one may be busy. */
const ROLL_CALL_MS = 1_000;
const GLANCE_MS = 250;

/** What an ordered subscription does as long as its pod lives: it tries to lead, and delivers while it does. */
export type Leading = {
  /** Lets one event be under way at a time, if this pod leads; answers whether it does. */
  narrow(): Promise<boolean>;
  /** Whether this pod is the one that delivers. */
  leads(): boolean;
  /** Begins anew, where deliveries may have been lost or the durable has been made again. */
  again(): void;
  close(): Promise<void>;
};

/** Of all pods one delivers a subscription's events; the rules stand in docs/decisions/0020. */
export function leadDelivery(deps: ConsumerDeps, bulkhead: Bulkhead): Leading {
  const { service, subscription, messaging, log, durable } = deps;
  let term: Term | undefined;
  const leadership = startLeadership({
    messaging,
    service,
    name: subscription.name,
    log,
    mayLead: async () => !(await knowOthersMore(deps)),
    onTaken() {
      term = startTerm(deps, { bulkhead, holds: leadership.holds, onForOthers: leadership.yield });
    },
    async onEnd(isOrderly) {
      await term?.end(isOrderly);
      term = undefined;
    },
  });
  return {
    async narrow() {
      if (!term) return false;
      await term.narrow();
      return true;
    },
    leads: leadership.holds,
    again: leadership.again,
    async close() {
      await leadership.close();
      // A pod of before may be the next to come, whoever has led until now; a leader that stays widens it again.
      await durable.allow(1).catch(() => undefined);
    },
  };
}

/** Whether somebody reacts to what is asked for and this pod knows nothing of: then it is theirs to lead. */
async function knowOthersMore({ durable, reactors }: ConsumerDeps): Promise<boolean> {
  for (const subject of durable.unknown()) if (await reactors.has(subject)) return true;
  return false;
}

type Term = { narrow(): Promise<void>; end(isOrderly: boolean): Promise<void> };

/** One pod's time as the leader: it delivers, and lets many events be under way while no pod of before is there. */
function startTerm(deps: ConsumerDeps, leader: Parameters<typeof deliverInOrder>[1]): Term {
  const { durable, reactors, log } = deps;
  let delivery: Delivery | undefined;
  let changing: Promise<unknown> = Promise.resolve();
  /** One change at a time, so that nothing widens what was narrowed for somebody who has asked meanwhile. */
  const change = (run: () => Promise<void>): Promise<void> => {
    const changed = changing.then(run);
    changing = changed.catch(() => undefined);
    return changed;
  };
  const ending = new AbortController();
  let isWide = false;
  const narrow = async () => {
    isWide = false;
    await durable.allow(1);
  };
  const fit = async () => {
    if (await reactors.hasOlder(isWide ? GLANCE_MS : ROLL_CALL_MS, ending.signal))
      return ending.signal.aborted ? undefined : narrow();
    // Also where it is said to be wide: a pod of before may have narrowed it, and gone.
    await durable.allow(WIDE + (delivery?.parked() ?? 0));
    const wasWide = isWide;
    isWide = true;
    // One that came in this very moment may have found it narrow, and think that it stays so.
    if (!wasWide && (await reactors.hasOlder(GLANCE_MS, ending.signal)) && !ending.signal.aborted) await narrow();
  };
  const begin = async () => {
    await durable.reconcile();
    if (await knowOthersMore(deps)) return leader.onForOthers();
    delivery = await deliverInOrder(deps, leader);
  };
  const loop: PollingLoop = startPollingLoop({
    what: `the delivery of ${durable.name}`,
    everyMs: TEND_MS,
    againMs: 500,
    log,
    async round() {
      if (!delivery) await begin();
      await delivery?.recheckParked();
      if (delivery) await change(fit);
      return false;
    },
  });
  return {
    narrow: () => change(narrow),
    async end(isOrderly) {
      ending.abort();
      await loop.close();
      if (isOrderly) await durable.allow(1).catch(() => undefined);
      await delivery?.end(isOrderly);
    },
  };
}
