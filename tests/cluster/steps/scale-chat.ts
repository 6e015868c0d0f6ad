import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@atrium/test-kit/wait-for';
import { isReady } from '../kubectl.ts';
import type { StepContext } from '../step.ts';

const MIN_PODS = 1;
const MAX_PODS = 3;
/** Includes the time that autoscalers wait before they scale down, which the manifests configure. */
const SCALE_TIMEOUT_MS = 10 * 60_000;
/** Concurrent readers of messages: more than one chat pod can handle with half a core. */
const MAX_CONCURRENT_READERS = 12;

/**
 * The CPU target of the autoscaler in this test. The manifests configure half a core, but a machine that runs the
 * stores, the gateway, and Kubernetes on two cores cannot give three chat pods that much.
 */
const CPU_TARGET_PER_POD = '150m';
const STABILIZATION_SECONDS = 60;

type Autoscaler = {
  spec: { minReplicas: number; maxReplicas: number; metrics: unknown; behavior: { scaleDown: object } };
};

/**
 * Checks that the autoscaler adds pods while users read many messages, and later removes them, without failed calls.
 */
export async function scaleChat({ kubectl, traffic, report }: StepContext): Promise<void> {
  const { spec } = await kubectl.get<Autoscaler>('hpa', 'chat');
  const patchAutoscaler = (fields: object) =>
    kubectl.run('patch', 'hpa', 'chat', '--type=merge', '--patch', JSON.stringify({ spec: fields }));
  const target = { type: 'AverageValue', averageValue: CPU_TARGET_PER_POD };
  await patchAutoscaler({
    minReplicas: MIN_PODS,
    maxReplicas: MAX_PODS,
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
    behavior: { scaleDown: { ...spec.behavior.scaleDown, stabilizationWindowSeconds: STABILIZATION_SECONDS } },
  });
  try {
    const sizes: number[] = [];
    const waitForSize = (size: number) => waitForPods(kubectl, size, sizes);
    await waitForSize(MIN_PODS);
    const since = performance.now();
    const elapsed = () => ((performance.now() - since) / 1_000).toFixed(0);
    const readers = startReaders(traffic);
    await waitForSize(MAX_PODS).finally(() => readers.end());
    const secondsToScaleUp = elapsed();
    await waitForSize(MIN_PODS);
    const scalingSummary = `${sizes.join(', ')} pods: ${MAX_PODS} after ${secondsToScaleUp} s, ${MIN_PODS} after ${elapsed()} s`;
    report(`${scalingSummary}; ${traffic.summary(since)}`, traffic.failures(since));
  } finally {
    await patchAutoscaler(spec);
  }
}

/** Waits until chat has a number of ready pods, and records every size it has in the meantime. */
async function waitForPods(kubectl: StepContext['kubectl'], expectedSize: number, sizes: number[]): Promise<void> {
  const hasExpectedSize = async () => {
    const size = (await kubectl.pods('chat')).filter(isReady).length;
    if (sizes.at(-1) !== size) sizes.push(size);
    return size === expectedSize;
  };
  await waitFor(hasExpectedSize, {
    description: `chat to have ${expectedSize} pods`,
    timeoutMs: SCALE_TIMEOUT_MS,
    intervalMs: 1_000,
  });
}

function startReaders({ base, work }: StepContext['traffic']) {
  const { conversation, workers } = work.fixture;
  const stop = new AbortController();
  const path = `/chat/messages?conversation=${conversation}&limit=100`;
  const read = async (reader: (typeof workers)[number]) => {
    while (!stop.signal.aborted) {
      const headers = { authorization: `Bearer ${reader.token}` };
      await fetch(`${base}/api${path}`, { headers }).then(
        (response) => response.arrayBuffer(),
        () => delay(200),
      );
    }
  };
  const reading = workers.slice(0, MAX_CONCURRENT_READERS).map(read);
  return {
    async end() {
      stop.abort();
      await Promise.all(reading);
    },
  };
}
