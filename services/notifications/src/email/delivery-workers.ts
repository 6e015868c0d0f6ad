import type { EmailRecord } from '../store/records.ts';
import { attemptDelivery, type DeliveryDeps } from './attempt-delivery.ts';
import { findDue, findExpired, hasPriority } from './due-emails.ts';

type DeliveryWorkers = {
  /** Hands due emails to idle workers. Returns whether more can be started immediately. */
  round(): Promise<boolean>;
  close(graceMs: number): Promise<void>;
};

const BATCH_SIZE = 60;

/**
 * One worker per connection to the mail server, so that a slow email blocks only one of them. Emails of one recipient
 * are sent sequentially. `onIdle` is called when a worker has delivered an email.
 */
export function createDeliveryWorkers(deps: DeliveryDeps, onIdle: () => void): DeliveryWorkers {
  const queues: EmailRecord[][] = [];
  const busyAddresses = new Set<string>();
  const workers = new Set<Promise<void>>();

  const runWorker = async (): Promise<void> => {
    let hasDelivered = false;
    for (let queue = queues.shift(); queue; queue = queues.shift()) {
      hasDelivered = (await deliverInOrder(queue, deps)) || hasDelivered;
      for (const { address } of queue) busyAddresses.delete(address);
    }
    if (hasDelivered) onIdle();
  };
  const startWorker = () => {
    const worker = runWorker()
      .catch((error) => deps.log.warn({ err: error }, 'Failed to deliver emails'))
      .finally(() => workers.delete(worker));
    workers.add(worker);
  };
  return {
    async round() {
      const idleCount = deps.mailer.connections - workers.size;
      if (idleCount <= 0) return false;
      const dueEmails = await deps.store.run(() =>
        findDue(deps.store, { limit: BATCH_SIZE, excludedAddresses: [...busyAddresses] }),
      );
      if (dueEmails.length === 0) return false;
      if (!(await deps.mailer.isReachable())) return failExpired(deps);
      if (deps.signal.aborted) return false;
      queues.push(...toQueues(dueEmails));
      for (const { address } of dueEmails) busyAddresses.add(address);
      for (let count = Math.min(idleCount, queues.length); count > 0; count -= 1) startWorker();
      return false;
    },
    async close(graceMs) {
      const abortTimer = setTimeout(deps.mailer.abort, graceMs);
      await Promise.all(workers);
      clearTimeout(abortTimer);
    },
  };
}

function toQueues(emails: readonly EmailRecord[]): EmailRecord[][] {
  const getCreationTime = ({ createdAt }: EmailRecord) => createdAt.getTime();
  return [...Map.groupBy(emails, ({ address }) => address).values()].map((queue) =>
    queue.toSorted(
      (a, b) => Number(hasPriority(b)) - Number(hasPriority(a)) || getCreationTime(a) - getCreationTime(b),
    ),
  );
}

/** Marks expired emails as failed even if the mail server never recovers, so that their outcome is published. */
async function failExpired(deps: DeliveryDeps): Promise<boolean> {
  const expiredEmails = await deps.store.run(() => findExpired(deps.store, BATCH_SIZE));
  const results = await Promise.all(expiredEmails.map((email) => attemptDelivery(email, deps)));
  return expiredEmails.length === BATCH_SIZE && results.some(Boolean);
}

/** Returns whether an email was delivered. */
async function deliverInOrder(queue: EmailRecord[], deps: DeliveryDeps): Promise<boolean> {
  let hasDelivered = false;
  for (const email of queue) {
    if (deps.signal.aborted || !(await deps.mailer.isReachable())) return hasDelivered;
    // The email is claimed by another pod or delayed, and later emails must not overtake it.
    if (!(await attemptDelivery(email, deps))) return hasDelivered;
    hasDelivered = true;
  }
  return hasDelivered;
}
