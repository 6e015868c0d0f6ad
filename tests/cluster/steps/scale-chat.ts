import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '@atrium/test-kit/wait-for';
import { isReady } from '../kubectl.ts';
import type { Place } from '../step.ts';

const LEAST = 1;
const MOST = 3;
/** An autoscaler takes its time to believe that it has become quiet; the manifests say how long. */
const PATIENCE_MS = 10 * 60_000;
/** How many messages are asked for at a time: more than one pod of chat answers with half a core. */
const AT_ONCE = 12;

/**
 * Where the autoscaler begins to start pods here. The manifests say half a core, and a machine of two cores, with the stores, the gateway and
 * Kubernetes itself on it, has no core and a half for chat.
 */
const CORES_A_POD = '150m';
const AGAIN_AFTER_S = 60;

type Autoscaler = {
  spec: { minReplicas: number; maxReplicas: number; metrics: unknown; behavior: { scaleDown: object } };
};

/** People who read a lot make the autoscaler start pods; when they have gone it takes them away, and nobody at work notices either. */
export async function scaleChat({ kubectl, office, judge }: Place): Promise<void> {
  const { spec } = await kubectl.get<Autoscaler>('hpa', 'chat');
  const change = (changed: object) =>
    kubectl.run('patch', 'hpa', 'chat', '--type=merge', '--patch', JSON.stringify({ spec: changed }));
  const target = { type: 'AverageValue', averageValue: CORES_A_POD };
  await change({
    minReplicas: LEAST,
    maxReplicas: MOST,
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
    behavior: { scaleDown: { ...spec.behavior.scaleDown, stabilizationWindowSeconds: AGAIN_AFTER_S } },
  });
  try {
    const sizes: number[] = [];
    const toHave = (wanted: number) => untilPods(kubectl, wanted, sizes);
    await toHave(LEAST);
    const since = performance.now();
    const elapsed = () => ((performance.now() - since) / 1_000).toFixed(0);
    const readers = readALot(office);
    await toHave(MOST).finally(() => readers.end());
    const up = elapsed();
    await toHave(LEAST);
    const found = `${sizes.join(', ')} pods: ${MOST} after ${up} s, ${LEAST} after ${elapsed()} s`;
    judge(`${found}; ${office.tell(since)}`, office.noticed(since));
  } finally {
    await change(spec);
  }
}

/** Until chat has so many pods that are ready; notes every number on the way. */
async function untilPods(kubectl: Place['kubectl'], wanted: number, sizes: number[]): Promise<void> {
  const isThere = async () => {
    const size = (await kubectl.pods('chat')).filter(isReady).length;
    if (sizes.at(-1) !== size) sizes.push(size);
    return size === wanted;
  };
  await waitFor(isThere, { what: `chat to have ${wanted} pods`, timeoutMs: PATIENCE_MS, everyMs: 1_000 });
}

function readALot({ base, work }: Place['office']) {
  const { conversation, workers } = work.site;
  const stop = new AbortController();
  const path = `/chat/messages?conversation=${conversation}&limit=100`;
  const read = async (reader: (typeof workers)[number]) => {
    while (!stop.signal.aborted) {
      const headers = { authorization: `Bearer ${reader.token}` };
      await fetch(`${base}/api${path}`, { headers }).then(
        (answer) => answer.arrayBuffer(),
        () => pause(200),
      );
    }
  };
  const reading = workers.slice(0, AT_ONCE).map(read);
  return {
    async end() {
      stop.abort();
      await Promise.all(reading);
    },
  };
}
