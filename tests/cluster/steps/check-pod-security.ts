import { isReady, type Pod } from '../kubectl.ts';
import type { StepContext } from '../step.ts';

const READY_LIMIT_S = 2;

/** Violations of `restricted`, each of which PodSecurity must reject. */
const UNRESTRICTED: Readonly<Record<string, { pod?: object; container?: object }>> = {
  'the root user': { container: { runAsUser: 0, runAsNonRoot: false } },
  'privileged mode': { container: { privileged: true, allowPrivilegeEscalation: true } },
  "the node's network": { pod: { hostNetwork: true } },
  'privilege escalation': { container: { allowPrivilegeEscalation: true } },
};

/**
 * Checks the startup time, restarts, and memory of every pod. The traffic pauses, because two cores cannot handle both.
 * In clusters that block connections until a pod's address is known, a first connection is retried after one second,
 * which is included in the startup time.
 */
export async function checkPodStarts({ kubectl, traffic, report }: StepContext): Promise<void> {
  await traffic.work.pause();
  for (const name of await kubectl.deployments()) {
    const deletedPod = (await kubectl.pods(name)).find(isReady);
    if (!deletedPod) throw new Error(`${name} has no ready pod`);
    const before = new Set((await kubectl.pods(name)).map(({ metadata }) => metadata.name));
    await kubectl.run('delete', 'pod', deletedPod.metadata.name);
    await kubectl.run('rollout', 'status', `deployment/${name}`, '--timeout=120s');
    const started = (await kubectl.pods(name)).filter(({ metadata }) => !before.has(metadata.name));
    const startupSeconds = await Promise.all(started.map((pod) => readStartupSeconds(kubectl, pod)));
    const readyTimes = startupSeconds.map((seconds) => seconds?.toFixed(1)).join(', ');
    report(
      `${name.padEnd(14)} ready after ${readyTimes} s`,
      startupSeconds.every(isFastEnough) ? [] : [`more than ${READY_LIMIT_S} s`],
    );
  }
  traffic.work.resume();
  const memory = await readMemoryByPod(kubectl);
  let total = 0;
  for (const { metadata, status } of await kubectl.pods()) {
    const name = metadata.labels['app.kubernetes.io/name'] ?? '';
    const restarts = (status.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0);
    const megabytes = memory.get(metadata.name) ?? 0;
    total += megabytes;
    report(`${name.padEnd(14)} ${megabytes} MB`, restarts > 0 ? [`it restarted ${restarts} times`] : []);
  }
  report(`all pods use ${total} MB`, []);
}

const isFastEnough = (seconds: number | undefined): boolean => seconds !== undefined && seconds <= READY_LIMIT_S;

/** Reads from the log how long the process took to become ready, because the kubelet reports only whole seconds. */
async function readStartupSeconds(kubectl: StepContext['kubectl'], { metadata }: Pod): Promise<number | undefined> {
  const log = await kubectl.run('logs', metadata.name, '--all-containers', '--limit-bytes=400000');
  const line = log.split('\n').find((entry) => entry.includes('"msg":"ready"'));
  return line && JSON.parse(line).uptimeSeconds;
}

async function readMemoryByPod(kubectl: StepContext['kubectl']): Promise<Map<string, number>> {
  const text = await kubectl.run('top', 'pods', '--no-headers').catch(() => '');
  const rows = text
    .trim()
    .split('\n')
    .map((row) => row.split(/\s+/));
  return new Map(rows.map(([name = '', , size = '0']) => [name, Number.parseInt(size, 10)]));
}

/** Checks that PodSecurity rejects each violation. */
export async function checkPodSecurity({ kubectl, report }: StepContext): Promise<void> {
  for (const [violation, { pod = {}, container = {} }] of Object.entries(UNRESTRICTED)) {
    const restricted = {
      allowPrivilegeEscalation: false,
      runAsNonRoot: true,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    };
    const manifest = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'unrestricted' },
      spec: {
        ...pod,
        containers: [{ name: 'app', image: 'none:1', securityContext: { ...restricted, ...container } }],
      },
    };
    const output = await kubectl
      .apply(JSON.stringify(manifest), '--dry-run=server')
      .catch((error: Error) => error.message);
    report(`${violation} is rejected`, /violates PodSecurity "restricted/.test(output) ? [] : [output]);
  }
}
