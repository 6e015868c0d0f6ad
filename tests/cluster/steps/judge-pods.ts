import type { Pod } from '../kubectl.ts';
import type { Place } from '../step.ts';

const READY_LIMIT_S = 2;

/** A pod that asks for more than `restricted` lets anybody have, one thing at a time. */
const UNRESTRICTED: Readonly<Record<string, { pod?: object; container?: object }>> = {
  'the root user': { container: { runAsUser: 0, runAsNonRoot: false } },
  privilege: { container: { privileged: true, allowPrivilegeEscalation: true } },
  'the network of its node': { pod: { hostNetwork: true } },
  'more rights than it began with': { container: { allowPrivilegeEscalation: true } },
};

/** Every pod of ours was let in, none has been started twice, and what each took to be ready and holds now. */
export async function judgePods({ kubectl, judge }: Place): Promise<void> {
  const memory = await memoryOf(kubectl);
  let total = 0;
  for (const pod of await kubectl.pods()) {
    const { metadata, status } = pod;
    const name = metadata.labels['app.kubernetes.io/name'] ?? '';
    const restarts = (status.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0);
    const took = await secondsToAnswer(kubectl, pod);
    const megabytes = memory.get(metadata.name) ?? 0;
    total += megabytes;
    const start = took === undefined ? '' : `, answered ${took.toFixed(1)} s after its start`;
    judge(`${name.padEnd(14)} ${megabytes} MB${start}`, [
      ...(restarts > 0 ? [`it was started ${restarts + 1} times`] : []),
      ...(took !== undefined && took > READY_LIMIT_S ? [`more than ${READY_LIMIT_S} s`] : []),
    ]);
  }
  judge(`all of it holds ${total} MB`, []);
}

/** How old the process was when it was ready, as its own log has it: the kubelet says whole seconds alone. */
async function secondsToAnswer(kubectl: Place['kubectl'], { metadata }: Pod): Promise<number | undefined> {
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
