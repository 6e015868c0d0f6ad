import { waitFor } from '@atrium/test-kit/wait-for';
import { isReady } from '../kubectl.ts';
import type { StepContext } from '../step.ts';

/** Maximum number of calls that may fail with a killed pod. No acknowledged write may be lost. */
const MAX_FAILED_CALLS = 12;

/** Kills one pod of each service without a grace period. */
export async function killPods({ kubectl, traffic, report }: StepContext): Promise<void> {
  for (const name of await kubectl.deployments()) {
    const since = performance.now();
    const pods = (await kubectl.pods(name)).filter(isReady);
    const [killedPod] = pods;
    if (!killedPod) throw new Error(`${name} has no ready pod`);
    await kubectl.run('delete', 'pod', killedPod.metadata.name, '--grace-period=0', '--force');
    const hasRecovered = async () => {
      const currentPods = await kubectl.pods(name);
      return (
        currentPods.filter(isReady).length >= pods.length &&
        currentPods.every(({ metadata }) => metadata.name !== killedPod.metadata.name)
      );
    };
    await waitFor(hasRecovered, { description: `${name} to be ready again`, timeoutMs: 120_000, intervalMs: 250 });
    const failures = traffic.failures(since);
    const allowedFailures = pods.length > 1 ? MAX_FAILED_CALLS : Number.POSITIVE_INFINITY;
    const seconds = ((performance.now() - since) / 1_000).toFixed(0);
    report(
      `${name.padEnd(14)} is ready again after ${seconds} s; ${failures.length} failures; ${traffic.summary(since)}`,
      failures.length > allowedFailures ? failures : [],
    );
  }
}
