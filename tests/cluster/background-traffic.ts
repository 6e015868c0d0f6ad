import { waitFor } from '@atrium/test-kit/wait-for';
import { runDemo } from '@atrium/tools/demo/demo';
import { trackAcknowledgedWrites, type WriteTracker } from '../simulation/acknowledged-writes.ts';
import { checkDelivery, describeDelivery, listSentMessages } from '../simulation/delivery.ts';
import type { ReportResult } from '../simulation/failure-collector.ts';
import { openListeners } from '../simulation/listeners.ts';
import { findLostWrites, findUndelivered } from '../simulation/verify.ts';
import { describeFailures, startWorkload, type Workload } from '../simulation/workload.ts';
import type { Deployment } from './deploy-overlay.ts';

/** The longest outage that users may notice when a pod is replaced. */
const MAX_OUTAGE_MS = 3_000;
/** How many users have open chat sockets. */
const SOCKETS = 20;

/** Twenty users working in the cluster, and the failures they observe. */
export type BackgroundTraffic = {
  base: string;
  tracker: WriteTracker;
  work: Workload;
  /** Failed calls, and sockets that were disconnected for too long, since a time. */
  failures(since: number): string[];
  /** Whether requests reach a gateway. They do so shortly after its pod is ready, once every node has learned of it. */
  isReached(): Promise<boolean>;
  /** One line about the traffic since a time. */
  summary(since: number): string;
  close(report: ReportResult): Promise<void>;
};

/** Fills the workspace with demo data and starts the traffic of twenty users. */
export async function startBackgroundTraffic({ base, setupToken }: Deployment): Promise<BackgroundTraffic> {
  await runDemo({ baseUrl: base, setupToken, print: () => undefined });
  const tracker = trackAcknowledgedWrites();
  const work = await startWorkload(base, tracker, { userCount: SOCKETS, pauseMs: [500, 1_500], concurrency: 3 });
  const listeners = openListeners(base, work.fixture, SOCKETS);
  const listOutages = (since: number) =>
    listeners.flatMap(({ who, disconnects }) => disconnects(since).map((disconnect) => ({ who, ...disconnect })));
  return {
    base,
    tracker,
    work,
    failures(since) {
      const longOutages = listOutages(since).filter(({ ms }) => ms > MAX_OUTAGE_MS);
      return [
        ...describeFailures(tracker, since, Number.POSITIVE_INFINITY),
        ...longOutages.map(
          ({ who, namespace, from, ms }) =>
            `the socket of ${who} on ${namespace} was disconnected for ${(ms / 1_000).toFixed(1)} s from ${from.toISOString()}`,
        ),
      ];
    },
    isReached: () =>
      fetch(base).then(
        async (response) => (await response.text()).length > 0 && response.ok,
        () => false,
      ),
    summary(since) {
      const calls = tracker.callsSince(since);
      const durations = calls.map(({ ms }) => ms).sort((a, b) => a - b);
      const p95 = durations[Math.floor(durations.length * 0.95)] ?? 0;
      const outages = listOutages(since);
      const longestMs = Math.max(0, ...outages.map(({ ms }) => ms));
      return `${calls.length} calls, p95 ${p95.toFixed(0)} ms; ${outages.length} sockets reconnected, the slowest after ${(longestMs / 1_000).toFixed(1)} s`;
    },
    async close(report) {
      await work.pause();
      for (const [kind, { acknowledged, lost }] of Object.entries(await findLostWrites(base, work.fixture, tracker)))
        report(`all ${acknowledged} acknowledged writes of kind ${kind} exist`, lost.slice(0, 5));
      const computeDelivery = () => checkDelivery(listeners, listSentMessages(tracker));
      const isDelivered = () =>
        findUndelivered(listeners, tracker).length === 0 && computeDelivery().failures.length === 0;
      await waitFor(isDelivered, { description: 'every message to be delivered' }).catch(() => undefined);
      report(`${listeners.length} sockets received every message`, findUndelivered(listeners, tracker));
      const delivery = computeDelivery();
      report(describeDelivery(delivery), delivery.failures);
      for (const listener of listeners) listener.close();
    },
  };
}
