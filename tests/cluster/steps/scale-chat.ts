import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '@atrium/test-kit/wait-for';
import { isReady } from '../kubectl.ts';
import type { StepContext } from '../step.ts';

const MIN_PODS = 1;
const MAX_PODS = 3;
/** Autoscalers wait before they scale down; the manifests configure how long. */
const SCALE_TIMEOUT_MS = 10 * 60_000;
/** Concurrent requests for messages: more than one chat pod handles with half a core. */
const MAX_CONCURRENT_READERS = 12;

/**
 * The CPU target of the autoscaler in this test. The manifests configure half a core, but a machine of two cores with the stores, the gateway,
 * and Kubernetes cannot give three chat pods that much.
 */
const CORES_A_POD = '150m';
const AGAIN_AFTER_S = 60;

type Autoscaler = {
  spec: { minReplicas: number; maxReplicas: number; metrics: unknown; behavior: { scaleDown: object } };
};

/** Users who read many messages make the autoscaler add pods, and remove them afterwards, without failed calls. */
export async function scaleChat({ kubectl, traffic, report }: StepContext): Promise<void> {
  const { spec } = await kubectl.get<Autoscaler>('hpa', 'chat');
  const change = (changed: object) =>
    kubectl.run('patch', 'hpa', 'chat', '--type=merge', '--patch', JSON.stringify({ spec: changed }));
  const target = { type: 'AverageValue', averageValue: CORES_A_POD };
  await change({
    minReplicas: MIN_PODS,
    maxReplicas: MAX_PODS,
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
    behavior: { scaleDown: { ...spec.behavior.scaleDown, stabilizationWindowSeconds: AGAIN_AFTER_S } },
  });
  try {
    const sizes: number[] = [];
    const toHave = (wanted: number) => waitForPods(kubectl, wanted, sizes);
    await toHave(MIN_PODS);
    const since = performance.now();
    const elapsed = () => ((performance.now() - since) / 1_000).toFixed(0);
    const readers = startReaders(traffic);
    await toHave(MAX_PODS).finally(() => readers.end());
    const up = elapsed();
    await toHave(MIN_PODS);
    const found = `${sizes.join(', ')} pods: ${MAX_PODS} after ${up} s, ${MIN_PODS} after ${elapsed()} s`;
    report(`${found}; ${traffic.summary(since)}`, traffic.failures(since));
  } finally {
    await change(spec);
  }
}

/** Waits until chat has a number of ready pods, and records every size on the way. */
async function waitForPods(kubectl: StepContext['kubectl'], wanted: number, sizes: number[]): Promise<void> {
  const isThere = async () => {
    const size = (await kubectl.pods('chat')).filter(isReady).length;
    if (sizes.at(-1) !== size) sizes.push(size);
    return size === wanted;
  };
  await waitFor(isThere, {
    description: `chat to have ${wanted} pods`,
    timeoutMs: SCALE_TIMEOUT_MS,
    intervalMs: 1_000,
  });
}

function startReaders({ base, work }: StepContext['traffic']) {
  const { conversation, workers } = work.site;
  const stop = new AbortController();
  const path = `/chat/messages?conversation=${conversation}&limit=100`;
  const read = async (reader: (typeof workers)[number]) => {
    while (!stop.signal.aborted) {
      const headers = { authorization: `Bearer ${reader.token}` };
      await fetch(`${base}/api${path}`, { headers }).then(
        (response) => response.arrayBuffer(),
        () => pause(200),
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
