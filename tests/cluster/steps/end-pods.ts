import { waitFor } from '@atrium/test-kit/wait-for';
import { isReady } from '../kubectl.ts';
import type { Place } from '../step.ts';

/** What dies without a word costs the calls that are with it, and nothing that was acknowledged. */
const CALLS_WITH_IT = 12;

/** One pod of each service goes from one moment to the next. */
export async function endPods({ kubectl, office, judge }: Place): Promise<void> {
  for (const name of await kubectl.deployments()) {
    const since = performance.now();
    const pods = (await kubectl.pods(name)).filter(isReady);
    const [one] = pods;
    if (!one) throw new Error(`${name} has no pod that is ready`);
    await kubectl.run('delete', 'pod', one.metadata.name, '--grace-period=0', '--force');
    const isBack = async () => {
      const now = await kubectl.pods(name);
      return (
        now.filter(isReady).length >= pods.length && now.every(({ metadata }) => metadata.name !== one.metadata.name)
      );
    };
    await waitFor(isBack, { what: `${name} to be complete again`, timeoutMs: 120_000, everyMs: 250 });
    const noticed = office.noticed(since);
    const allowed = pods.length > 1 ? CALLS_WITH_IT : Number.POSITIVE_INFINITY;
    const seconds = ((performance.now() - since) / 1_000).toFixed(0);
    judge(
      `${name.padEnd(14)} is complete again after ${seconds} s; ${noticed.length} noticed it; ${office.tell(since)}`,
      noticed.length > allowed ? noticed : [],
    );
  }
}
