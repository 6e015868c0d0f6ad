import { findDeadLetters, findPendingWork } from '@atrium/test-kit/system/find-pending-work';
import { startCluster } from '@atrium/test-kit/system/start-cluster';
import { createWatchedContext } from '@atrium/test-kit/system/start-system';
import { openStores } from '@atrium/test-kit/system/stores';
import { waitUntilIdle } from '@atrium/test-kit/system/wait-until-idle';
import { waitFor } from '@atrium/test-kit/wait-for';
import { listProcesses, openPreviousCheckout } from '@atrium/tools/upgrade-snapshot/previous-checkout';
import { restoreDatabases, unpack } from '@atrium/tools/upgrade-snapshot/snapshots';
import { captureViews, createFetchAs, findDifferences } from '@atrium/tools/upgrade-snapshot/views';
import { trackAcknowledgedWrites } from '../../simulation/acknowledged-writes.ts';
import { checkDelivery, describeDelivery, listSentMessages } from '../../simulation/delivery.ts';
import type { ReportResult } from '../../simulation/failure-collector.ts';
import { openListeners } from '../../simulation/listeners.ts';
import { findLostWrites, findUndelivered } from '../../simulation/verify.ts';
import { describeFailures, startWorkload } from '../../simulation/workload.ts';
import { HIGH_LIMITS } from '../../workspace/builders.ts';
import { describeStep, replaceAll, type Step, thisVersion } from './replace-processes.ts';

/**
 * Same as in deploy/base/settings.env: longer than the gateway keeps idle connections, so none leads to a closed pod.
 */
const DRAIN = { DRAIN_SECONDS: '5' };

/** Starts a commit on its snapshot, replaces its pods by pods of this checkout under load, and rolls back. */
export async function upgradeAndRollBack(commit: string, report: ReportResult): Promise<void> {
  const previousCheckout = openPreviousCheckout(commit);
  const watched = createWatchedContext({ env: { ...HIGH_LIMITS, ...DRAIN }, prepareDataDir: unpack(commit) });
  try {
    await restoreDatabases(watched.context);
    const cluster = await startCluster(watched);
    const previousVersion = { root: previousCheckout.root, title: 'old' };
    await Promise.all(listProcesses(previousCheckout).map((name) => cluster.addPod(name, previousVersion)));
    const allStores = await openStores(cluster, watched.context);
    const stores = {
      ...allStores,
      databases: allStores.databases.filter((name) => listProcesses(previousCheckout).includes(name)),
    };
    const capture = () => captureViews(createFetchAs({ tokensFrom: cluster.url, url: cluster.url }));
    const settle = () => waitUntilIdle(stores);
    await settle();
    const before = await capture();
    const tracker = trackAcknowledgedWrites();
    const work = await startWorkload(cluster.url, tracker);
    const listeners = openListeners(cluster.url, work.fixture, 6);
    const context = { cluster, work, tracker, settle };
    const reportStep = (step: Step) => report(describeStep(step), [...step.failures, ...step.differences]);

    console.log(`\n${commit} is running; upgrading each process to this checkout`);
    await replaceAll(context, thisVersion, reportStep);
    console.log(`\nrolling back to ${commit}`);
    await replaceAll(context, previousVersion, reportStep);

    console.log('\nfinal checks');
    await work.pause();
    await settle();
    report('no call failed', describeFailures(tracker, 0, 20));
    for (const [kind, { acknowledged, lost }] of Object.entries(
      await findLostWrites(cluster.url, work.fixture, tracker),
    ))
      report(`all ${acknowledged} acknowledged writes of kind ${kind} exist`, lost.slice(0, 5));
    const computeDelivery = () => checkDelivery(listeners, listSentMessages(tracker));
    const isDelivered = () =>
      findUndelivered(listeners, tracker).length === 0 && computeDelivery().failures.length === 0;
    await waitFor(isDelivered, { description: 'every message to be delivered' }).catch(() => undefined);
    const reconnectCounts = listeners.map((listener) => listener.reconnects()).join(', ');
    report(
      `${listeners.length} sockets received every message (reconnected ${reconnectCounts} times)`,
      findUndelivered(listeners, tracker),
    );
    const delivery = computeDelivery();
    report(describeDelivery(delivery), delivery.failures);
    report(
      'existing data is unchanged in every list',
      findDifferences(before, await capture(), { allowsOtherChanges: true }),
    );
    report('outboxes, emails, and consumers have no pending work', await findPendingWork(stores));
    report('there are no dead letters', await findDeadLetters(stores));
    for (const listener of listeners) listener.close();
    await stores.close();
    await cluster.stop();
    report('no process logged an error', watched.errors().slice(0, 20));
  } finally {
    await watched.context.reaper.close();
    watched.context.ports.release();
    previousCheckout.remove();
  }
}
