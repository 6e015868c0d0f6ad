import type { EmailRecord } from '../store/records.ts';
import { attemptDelivery, type DeliveryDeps } from './attempt-delivery.ts';
import { findDue, findOverdue, hasPriority } from './due-emails.ts';

type DeliveryWorkers = {
  /** Hands due emails to idle workers. Returns whether more can be started immediately. */
  round(): Promise<boolean>;
  close(graceMs: number): Promise<void>;
};

const BATCH_SIZE = 60;

/**
 * One worker per connection to the mail server, so that a slow email blocks only one of them. Emails of one recipient are sent
 * sequentially. `onIdle` is called when a worker has delivered an email.
 */
export function createDeliveryWorkers(deps: DeliveryDeps, onIdle: () => void): DeliveryWorkers {
  const queues: EmailRecord[][] = [];
  const busy = new Set<string>();
  const workers = new Set<Promise<void>>();

  const work = async (): Promise<void> => {
    let delivered = false;
    for (let queue = queues.shift(); queue; queue = queues.shift()) {
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
      const due = await deps.store.reach(() => findDue(deps.store, { limit: BATCH_SIZE, except: [...busy] }));
      if (due.length === 0) return false;
      if (!(await deps.mailer.reachable())) return failOverdue(deps);
      if (deps.signal.aborted) return false;
      queues.push(...toQueues(due));
      for (const { address } of due) busy.add(address);
      for (let count = Math.min(idle, queues.length); count > 0; count -= 1) start();
      return false;
    },
    async close(graceMs) {
      const abortTimer = setTimeout(deps.mailer.abort, graceMs);
      await Promise.all(workers);
      clearTimeout(abortTimer);
    },
  };
}

function toQueues(due: readonly EmailRecord[]): EmailRecord[][] {
  const age = ({ createdAt }: EmailRecord) => createdAt.getTime();
  return [...Map.groupBy(due, ({ address }) => address).values()].map((queue) =>
    queue.toSorted((a, b) => Number(hasPriority(b)) - Number(hasPriority(a)) || age(a) - age(b)),
  );
}

/** Marks overdue emails as failed even if the mail server never recovers, so that their outcome is published. */
async function failOverdue(deps: DeliveryDeps): Promise<boolean> {
  const overdue = await deps.store.reach(() => findOverdue(deps.store, BATCH_SIZE));
  const settled = await Promise.all(overdue.map((email) => attemptDelivery(email, deps)));
  return overdue.length === BATCH_SIZE && settled.some(Boolean);
}

async function deliverInOrder(queue: EmailRecord[], deps: DeliveryDeps): Promise<boolean> {
  let delivered = false;
  for (const email of queue) {
    if (deps.signal.aborted || !(await deps.mailer.reachable())) return delivered;
    // Claimed by another pod or delayed: later emails must not overtake it.
    if (!(await attemptDelivery(email, deps))) return delivered;
    delivered = true;
  }
  return delivered;
}
