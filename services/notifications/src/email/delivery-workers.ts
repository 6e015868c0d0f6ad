import type { MailRecord } from '../store/records.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { findDue, findOverdue, hasPriority } from './due-emails.ts';

export type DeliveryWorkers = {
  /** Hands what is due to idle workers and returns whether more may be done at once. */
  round(): Promise<boolean>;
  /** Starts nothing more; ends what is in flight after `graceMs`. */
  close(graceMs: number): Promise<void>;
};

const BATCH = 60;

/**
 * One worker for each connection to the mail server, so that an email at which the server takes minutes occupies one of them and the others
 * go on. Each recipient's emails are sent one after the other. `onIdle` is called when a worker that delivered something is done.
 */
export function createDeliveryWorkers(deps: DeliveryDeps, onIdle: () => void): DeliveryWorkers {
  const waiting: MailRecord[][] = [];
  /** The recipients whose emails wait here or are in flight. */
  const busy = new Set<string>();
  const workers = new Set<Promise<void>>();

  const work = async (): Promise<void> => {
    let delivered = false;
    for (let queue = waiting.shift(); queue; queue = waiting.shift()) {
      delivered = (await deliverInOrder(queue, deps)) || delivered;
      for (const { address } of queue) busy.delete(address);
    }
    if (delivered) onIdle();
  };
  const start = () => {
    const worker = work()
      .catch((error) => deps.log.warn({ err: error }, 'Failed to deliver emails'))
      .finally(() => workers.delete(worker));
    workers.add(worker);
  };
  return {
    async round() {
      const idle = deps.mailer.connections - workers.size;
      if (idle <= 0) return false;
      const due = await deps.store.reach(() => findDue(deps.store, { limit: BATCH, except: [...busy] }));
      if (due.length === 0) return false;
      if (!(await deps.mailer.reachable())) return giveUpOverdue(deps);
      if (deps.signal.aborted) return false;
      waiting.push(...toQueues(due));
      for (const { address } of due) busy.add(address);
      for (let count = Math.min(idle, waiting.length); count > 0; count -= 1) start();
      return false;
    },
    async close(graceMs) {
      const hurry = setTimeout(deps.mailer.abort, graceMs);
      await Promise.all(workers);
      clearTimeout(hurry);
    },
  };
}

function toQueues(due: readonly MailRecord[]): MailRecord[][] {
  const age = ({ createdAt }: MailRecord) => createdAt.getTime();
  return [...Map.groupBy(due, ({ address }) => address).values()].map((queue) =>
    queue.toSorted((one, other) => Number(hasPriority(other)) - Number(hasPriority(one)) || age(one) - age(other)),
  );
}

/** Whoever waits to hear of an email hears that it was not sent, also where the mail server never comes back. */
async function giveUpOverdue(deps: DeliveryDeps): Promise<boolean> {
  const overdue = await deps.store.reach(() => findOverdue(deps.store, BATCH));
  const settled = await Promise.all(overdue.map((mail) => attemptDelivery(mail, deps)));
  return overdue.length === BATCH && settled.some(Boolean);
}

/** Returns whether any has come to its end. */
async function deliverInOrder(queue: MailRecord[], deps: DeliveryDeps): Promise<boolean> {
  let delivered = false;
  for (const mail of queue) {
    if (deps.signal.aborted || !(await deps.mailer.reachable())) return delivered;
    // Another pod is at it, or it has to wait: what comes behind must not overtake it.
    if (!(await attemptDelivery(mail, deps))) return delivered;
    delivered = true;
  }
  return delivered;
}
