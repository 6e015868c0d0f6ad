import { waitFor } from '@atrium/test-kit/wait-for';
import { isReady } from '../kubectl.ts';
import type { StepContext } from '../step.ts';

/** The most calls that may fail with a killed pod. No acknowledged write may be lost. */
const MAX_LOST_CALLS = 12;

/** Kills one pod of each service without a grace period. */
export async function killPods({ kubectl, traffic, report }: StepContext): Promise<void> {
  for (const name of await kubectl.deployments()) {
    const since = performance.now();
    const pods = (await kubectl.pods(name)).filter(isReady);
    const [one] = pods;
    if (!one) throw new Error(`${name} has no ready pod`);
    await kubectl.run('delete', 'pod', one.metadata.name, '--grace-period=0', '--force');
    const isBack = async () => {
      const now = await kubectl.pods(name);
      return (
        now.filter(isReady).length >= pods.length && now.every(({ metadata }) => metadata.name !== one.metadata.name)
      );
    };
    await waitFor(isBack, { description: `${name} to be ready again`, timeoutMs: 120_000, intervalMs: 250 });
    const noticed = traffic.failures(since);
    const allowed = pods.length > 1 ? MAX_LOST_CALLS : Number.POSITIVE_INFINITY;
    const seconds = ((performance.now() - since) / 1_000).toFixed(0);
    report(
      `${name.padEnd(14)} is ready again after ${seconds} s; ${noticed.length} failures; ${traffic.summary(since)}`,
      noticed.length > allowed ? noticed : [],
    );
  }
}
