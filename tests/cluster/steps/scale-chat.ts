import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '@atrium/test-kit/wait-for';
import { isReady } from '../kubectl.ts';
import type { Place } from '../step.ts';

const MOST = 3;
/** An autoscaler takes its time to believe that it has become quiet; the manifests say how long. */
const PATIENCE_MS = 10 * 60_000;
/** How many messages are asked for at a time: more than one pod of chat answers with half a core. */
const AT_ONCE = 12;

/** People who read a lot make the autoscaler start pods; when they have gone it takes them away, and nobody at work notices either. */
export async function scaleChat({ kubectl, office, judge }: Place): Promise<void> {
  const sizes: number[] = [];
  const count = async () => {
    const size = (await kubectl.pods('chat')).filter(isReady).length;
    if (sizes.at(-1) !== size) sizes.push(size);
    return size;
  };
  const least = await leastPods(kubectl);
  await waitFor(async () => (await count()) === least, {
    what: `chat to have ${least} pods`,
    timeoutMs: PATIENCE_MS,
    everyMs: 1_000,
  });
  const since = performance.now();
  const readers = readALot(office);
  try {
    const isMost = async () => (await count()) >= MOST;
    await waitFor(isMost, { what: `chat to have ${MOST} pods`, timeoutMs: PATIENCE_MS, everyMs: 1_000 });
  } finally {
    await readers.end();
  }
  const up = ((performance.now() - since) / 1_000).toFixed(0);
  await waitFor(async () => (await count()) === least, {
    what: 'chat to be small again',
    timeoutMs: PATIENCE_MS,
    everyMs: 1_000,
  });
  const seconds = ((performance.now() - since) / 1_000).toFixed(0);
  judge(
    `${sizes.join(', ')} pods: ${MOST} after ${up} s, ${least} after ${seconds} s; ${office.tell(since)}`,
    office.noticed(since),
  );
}

async function leastPods(kubectl: Place['kubectl']): Promise<number> {
  const { spec } = await kubectl.get<{ spec: { minReplicas?: number } }>('hpa', 'chat');
  return spec.minReplicas ?? 1;
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
