import { findDeadLetters, findPendingWork } from '@atrium/test-kit/system/find-pending-work';
import { startCluster } from '@atrium/test-kit/system/start-cluster';
import { openBox } from '@atrium/test-kit/system/start-system';
import { openStores, type Stores } from '@atrium/test-kit/system/stores';
import { waitFor } from '@atrium/test-kit/wait-for';
import { trackAcknowledgedWrites } from '../../simulation/acknowledged-writes.ts';
import { describeDelivery, judgeDelivery, messagesIn } from '../../simulation/delivery.ts';
import type { Judge } from '../../simulation/judge.ts';
import { openListeners } from '../../simulation/listeners.ts';
import { askAt } from '../../simulation/people.ts';
import { findLost, findUnheard } from '../../simulation/verify.ts';
import { findDifferences, lookAround } from '../../simulation/views.ts';
import { faultsIn, startWork } from '../../simulation/work.ts';
import { openTree, processesOf } from '../previous-checkout.ts';
import { restoreDatabases, unpack } from '../snapshots.ts';
import { describe, roll, type Step, thisVersion } from './roll.ts';

// So many people and calls come from one address here.
const PLENTY = { RATE_LIMIT_PER_USER: '100000', RATE_LIMIT_PER_IP: '100000', RATE_LIMIT_SIGN_IN: '100000' };
/** As in deploy/base/settings.env: longer than the gateway keeps an idle connection, which must not meet a pod that closes. */
const DRAIN = { DRAIN_SECONDS: '5' };

/** The code of a commit at work on its world; then pods of this checkout beside and in place of its pods, and back again. */
export async function rollOut(commit: string, judge: Judge): Promise<void> {
  const tree = openTree(commit);
  const watched = openBox({ env: { ...PLENTY, ...DRAIN }, furnish: unpack(commit) });
  try {
    await restoreDatabases(watched.box);
    const cluster = await startCluster(watched);
    const old = { root: tree.root, title: 'old' };
    await Promise.all(processesOf(tree).map((name) => cluster.addPod(name, old)));
    const all = await openStores(cluster, watched.box);
    const stores = { ...all, databases: all.databases.filter((name) => processesOf(tree).includes(name)) };
    const look = () => lookAround(askAt({ tokensFrom: cluster.url, url: cluster.url }));
    const settle = () => untilDone(stores);
    await settle();
    const before = await look();
    const ledger = trackAcknowledgedWrites();
    const work = await startWork(cluster.url, ledger);
    const listeners = openListeners(cluster.url, work.site, 6);
    const around = { cluster, work, ledger, settle };
    const tell = (step: Step) => judge(describe(step), [...step.faults, ...step.differences]);

    console.log(`\n${commit} at work; each process is changed for one of this checkout`);
    await roll(around, thisVersion, tell);
    console.log(`\nand back for one of ${commit}`);
    await roll(around, old, tell);

    console.log('\nin the end');
    await work.rest();
    await settle();
    judge('no call failed', faultsIn(ledger, 0, 20));
    for (const [kind, { acknowledged, lost }] of Object.entries(await findLost(cluster.url, work.site, ledger)))
      judge(`${acknowledged} acknowledged of kind ${kind} are there`, lost.slice(0, 5));
    const deliver = () => judgeDelivery(listeners, messagesIn(ledger));
    const isHeard = () => findUnheard(listeners, ledger).length === 0 && deliver().faults.length === 0;
    await waitFor(isHeard, { what: 'all to be heard' }).catch(() => undefined);
    const returns = listeners.map((listener) => listener.reconnects()).join(', ');
    judge(
      `${listeners.length} sockets heard every message (they came back ${returns} times)`,
      findUnheard(listeners, ledger),
    );
    const delivery = deliver();
    judge(describeDelivery(delivery), delivery.faults);
    judge('every list shows what was there before as before', findDifferences(before, await look(), { others: true }));
    judge('outboxes, mails and consumers have nothing left', await findPendingWork(stores));
    judge('there is no dead letter', await findDeadLetters(stores));
    for (const listener of listeners) listener.close();
    await stores.close();
    await cluster.stop();
    judge('no process complained', watched.faults().slice(0, 20));
  } finally {
    await watched.box.guard.close();
    watched.box.ports.release();
    tree.remove();
  }
}

async function untilDone(stores: Stores): Promise<void> {
  let unrest: string[] = [];
  const isDone = async () => {
    unrest = await findPendingWork(stores);
    return unrest.length === 0;
  };
  await waitFor(isDone, { what: 'everything to be done', timeoutMs: 60_000, everyMs: 100 }).catch(() => undefined);
  if (unrest.length > 0) throw new Error(`not everything was done: ${unrest.join('; ')}`);
}
