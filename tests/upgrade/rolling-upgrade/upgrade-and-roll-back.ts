import { findDeadLetters, findPendingWork } from '@atrium/test-kit/system/find-pending-work';
import { startCluster } from '@atrium/test-kit/system/start-cluster';
import { createWatchedContext } from '@atrium/test-kit/system/start-system';
import { openStores, type Stores } from '@atrium/test-kit/system/stores';
import { waitFor } from '@atrium/test-kit/wait-for';
import { openPreviousCheckout, processesOf } from '@atrium/tools/upgrade-snapshot/previous-checkout';
import { restoreDatabases, unpack } from '@atrium/tools/upgrade-snapshot/snapshots';
import { captureViews, createFetchAs, findDifferences } from '@atrium/tools/upgrade-snapshot/views';
import { trackAcknowledgedWrites } from '../../simulation/acknowledged-writes.ts';
import { checkDelivery, describeDelivery, messagesIn } from '../../simulation/delivery.ts';
import type { ReportResult } from '../../simulation/failure-collector.ts';
import { openListeners } from '../../simulation/listeners.ts';
import { findLost, findUndelivered } from '../../simulation/verify.ts';
import { failuresIn, startWork } from '../../simulation/workload.ts';
import { HIGH_LIMITS } from '../../workspace/builders.ts';
import { describe, replaceAll, type Step, thisVersion } from './replace-processes.ts';

/** As in deploy/base/settings.env: longer than the gateway keeps idle connections, so that none reaches a closing pod. */
const DRAIN = { DRAIN_SECONDS: '5' };

/** Starts a commit on its snapshot, replaces its pods by pods of this checkout under load, and rolls back. */
export async function upgradeAndRollBack(commit: string, report: ReportResult): Promise<void> {
  const tree = openPreviousCheckout(commit);
  const watched = createWatchedContext({ env: { ...HIGH_LIMITS, ...DRAIN }, prepareDataDir: unpack(commit) });
  try {
    await restoreDatabases(watched.box);
    const cluster = await startCluster(watched);
    const old = { root: tree.root, title: 'old' };
    await Promise.all(processesOf(tree).map((name) => cluster.addPod(name, old)));
    const all = await openStores(cluster, watched.box);
    const stores = { ...all, databases: all.databases.filter((name) => processesOf(tree).includes(name)) };
    const capture = () => captureViews(createFetchAs({ tokensFrom: cluster.url, url: cluster.url }));
    const settle = () => untilDone(stores);
    await settle();
    const before = await capture();
    const tracker = trackAcknowledgedWrites();
    const work = await startWork(cluster.url, tracker);
    const listeners = openListeners(cluster.url, work.site, 6);
    const context = { cluster, work, tracker, settle };
    const reportStep = (step: Step) => report(describe(step), [...step.failures, ...step.differences]);

    console.log(`\n${commit} is running; upgrading each process to this checkout`);
    await replaceAll(context, thisVersion, reportStep);
    console.log(`\nrolling back to ${commit}`);
    await replaceAll(context, old, reportStep);

    console.log('\nfinal checks');
    await work.rest();
    await settle();
    report('no call failed', failuresIn(tracker, 0, 20));
    for (const [kind, { acknowledged, lost }] of Object.entries(await findLost(cluster.url, work.site, tracker)))
      report(`all ${acknowledged} acknowledged writes of kind ${kind} exist`, lost.slice(0, 5));
    const deliver = () => checkDelivery(listeners, messagesIn(tracker));
    const isDelivered = () => findUndelivered(listeners, tracker).length === 0 && deliver().failures.length === 0;
    await waitFor(isDelivered, { description: 'every message to be delivered' }).catch(() => undefined);
    const returns = listeners.map((listener) => listener.reconnects()).join(', ');
    report(
      `${listeners.length} sockets received every message (reconnected ${returns} times)`,
      findUndelivered(listeners, tracker),
    );
    const delivery = deliver();
    report(describeDelivery(delivery), delivery.failures);
    report('existing data is unchanged in every list', findDifferences(before, await capture(), { others: true }));
    report('outboxes, emails, and consumers have no pending work', await findPendingWork(stores));
    report('there are no dead letters', await findDeadLetters(stores));
    for (const listener of listeners) listener.close();
    await stores.close();
    await cluster.stop();
    report('no process logged an error', watched.errors().slice(0, 20));
  } finally {
    await watched.box.reaper.close();
    watched.box.ports.release();
    tree.remove();
  }
}

async function untilDone(stores: Stores): Promise<void> {
  let pending: string[] = [];
  const isDone = async () => {
    pending = await findPendingWork(stores);
    return pending.length === 0;
  };
  await waitFor(isDone, { description: 'all events to be handled', timeoutMs: 60_000, intervalMs: 100 }).catch(
    () => undefined,
  );
  if (pending.length > 0) throw new Error(`Work is still pending: ${pending.join('; ')}`);
}
