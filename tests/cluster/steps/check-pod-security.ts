import { isReady, type Pod } from '../kubectl.ts';
import type { Place } from '../step.ts';

const READY_LIMIT_S = 2;

/** A pod that asks for more than `restricted` lets anybody have, one thing at a time. */
const UNRESTRICTED: Readonly<Record<string, { pod?: object; container?: object }>> = {
  'the root user': { container: { runAsUser: 0, runAsNonRoot: false } },
  privilege: { container: { privileged: true, allowPrivilegeEscalation: true } },
  'the network of its node': { pod: { hostNetwork: true } },
  'more rights than it began with': { container: { allowPrivilegeEscalation: true } },
};

/**
 * Every pod of ours was let in, none has been started twice, what each holds, and what a pod of each Deployment takes to be ready. It is
 * measured while people rest, as two cores have nothing left for a start beside them. Where a cluster closes lines to a pod until it knows
 * the pod's address, a first connection is asked for again after the second that TCP waits, and the start has that second, too.
 */
export async function judgePods({ kubectl, office, judge }: Place): Promise<void> {
  await office.work.rest();
  for (const name of await kubectl.deployments()) {
    const old = (await kubectl.pods(name)).find(isReady);
    if (!old) throw new Error(`${name} has no pod that is ready`);
    const before = new Set((await kubectl.pods(name)).map(({ metadata }) => metadata.name));
    await kubectl.run('delete', 'pod', old.metadata.name);
    await kubectl.run('rollout', 'status', `deployment/${name}`, '--timeout=120s');
    const started = (await kubectl.pods(name)).filter(({ metadata }) => !before.has(metadata.name));
    const times = await Promise.all(started.map((pod) => secondsToBeReady(kubectl, pod)));
    const said = times.map((time) => time?.toFixed(1)).join(', ');
    judge(
      `${name.padEnd(14)} ready ${said} s after its start`,
      times.every(isSoon) ? [] : [`more than ${READY_LIMIT_S} s`],
    );
  }
  office.work.resume();
  const memory = await memoryOf(kubectl);
  let total = 0;
  for (const { metadata, status } of await kubectl.pods()) {
    const name = metadata.labels['app.kubernetes.io/name'] ?? '';
    const restarts = (status.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0);
    const megabytes = memory.get(metadata.name) ?? 0;
    total += megabytes;
    judge(`${name.padEnd(14)} ${megabytes} MB`, restarts > 0 ? [`it was started ${restarts + 1} times`] : []);
  }
  judge(`all of it holds ${total} MB`, []);
}

const isSoon = (seconds: number | undefined): boolean => seconds !== undefined && seconds <= READY_LIMIT_S;

/** How old the process was when it was ready, as its own log has it: the kubelet says whole seconds alone. */
async function secondsToBeReady(kubectl: Place['kubectl'], { metadata }: Pod): Promise<number | undefined> {
  const log = await kubectl.run('logs', metadata.name, '--all-containers', '--limit-bytes=400000');
  const line = log.split('\n').find((one) => one.includes('"msg":"ready"'));
  return line && JSON.parse(line).uptimeSeconds;
}

async function memoryOf(kubectl: Place['kubectl']): Promise<Map<string, number>> {
  const text = await kubectl.run('top', 'pods', '--no-headers').catch(() => '');
  const rows = text
    .trim()
    .split('\n')
    .map((row) => row.split(/\s+/));
  return new Map(rows.map(([name = '', , size = '0']) => [name, Number.parseInt(size, 10)]));
}

/** What asks for too much is refused, and each for that reason. */
export async function refuseUnrestricted({ kubectl, judge }: Place): Promise<void> {
  for (const [what, { pod = {}, container = {} }] of Object.entries(UNRESTRICTED)) {
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
        containers: [{ name: 'one', image: 'none:1', securityContext: { ...restricted, ...container } }],
      },
    };
    const answer = await kubectl
      .apply(JSON.stringify(manifest), '--dry-run=server')
      .catch((error: Error) => error.message);
    judge(`${what} is refused`, /violates PodSecurity "restricted/.test(answer) ? [] : [answer]);
  }
}
