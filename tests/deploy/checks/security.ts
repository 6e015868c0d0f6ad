import { type Container, containersOf, type KubeObject, ofKind, type Workload, workloadsOf } from '../manifest.ts';

/** What has to be true of each pod, by the sentence that is said where it is not. */
const OF_POD: Readonly<Record<string, (workload: Workload) => boolean>> = {
  'may run as root': ({ pod: { spec } }) => spec.securityContext?.runAsNonRoot === true,
  'runs as no user of its own': ({ pod: { spec } }) => (spec.securityContext?.runAsUser ?? 0) > 0,
  'has no seccomp profile': ({ pod: { spec } }) => spec.securityContext?.seccompProfile?.type === 'RuntimeDefault',
  'shares the network, the processes or the memory of its node': ({ pod: { spec } }) =>
    !(spec.hostNetwork || spec.hostPID || spec.hostIPC),
  'mounts a folder of its node': ({ pod: { spec } }) => spec.volumes.every((volume) => !('hostPath' in volume)),
  'is given a token of the API server': ({ pod: { spec } }) => !spec.automountServiceAccountToken,
};

const OF_CONTAINER: Readonly<Record<string, (container: Container) => boolean>> = {
  'is privileged': ({ securityContext }) => securityContext?.privileged === false,
  'may gain privileges': ({ securityContext }) => securityContext?.allowPrivilegeEscalation === false,
  'may write to its root file system': ({ securityContext }) => securityContext?.readOnlyRootFilesystem === true,
  'keeps capabilities': ({ securityContext: { capabilities } = {} }) =>
    capabilities?.drop.includes('ALL') === true && capabilities.add.length === 0,
  'runs as root': ({ securityContext }) => securityContext?.runAsUser !== 0,
};

const RESTRICTED = ['enforce', 'audit', 'warn'].map((mode) => `pod-security.kubernetes.io/${mode}`);

/** Where a pod has more rights than PodSecurity `restricted` and we allow. */
export function securityFaults(objects: readonly KubeObject[]): string[] {
  const pods = workloadsOf(objects).flatMap((workload) => [
    ...broken(OF_POD, workload).map((fault) => `${workload.name} ${fault}`),
    ...containersOf(workload).flatMap((container) =>
      broken(OF_CONTAINER, container).map((fault) => `${workload.name}/${container.name} ${fault}`),
    ),
  ]);
  const accounts = ofKind(objects, 'ServiceAccount')
    .filter((account) => account.automountServiceAccountToken)
    .map(({ metadata }) => `the account ${metadata.name} gives its token to whoever uses it`);
  const namespaces = objects
    .filter(
      ({ kind, metadata }) => kind === 'Namespace' && RESTRICTED.some((key) => metadata.labels[key] !== 'restricted'),
    )
    .map(({ metadata }) => `the namespace ${metadata.name} does not ask for restricted pods`);
  const outside = objects
    .filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace === '')
    .map(({ kind, metadata }) => `${kind} ${metadata.name} is in no namespace`);
  return [...pods, ...accounts, ...namespaces, ...outside];
}

const broken = <T>(rules: Readonly<Record<string, (value: T) => boolean>>, value: T): string[] =>
  Object.entries(rules).flatMap(([fault, holds]) => (holds(value) ? [] : [fault]));
