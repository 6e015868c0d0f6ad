import { type Container, containersOf, type KubeObject, ofKind, type Workload, workloadsOf } from '../manifest.ts';

/** Requirements for each pod, keyed by the message for a violation. */
const POD_REQUIREMENTS: Readonly<Record<string, (workload: Workload) => boolean>> = {
  'may run as root': ({ pod: { spec } }) => spec.securityContext?.runAsNonRoot === true,
  'does not run as a dedicated user': ({ pod: { spec } }) => (spec.securityContext?.runAsUser ?? 0) > 0,
  'has no seccomp profile': ({ pod: { spec } }) => spec.securityContext?.seccompProfile?.type === 'RuntimeDefault',
  'shares the network, processes, or memory of its node': ({ pod: { spec } }) =>
    !(spec.hostNetwork || spec.hostPID || spec.hostIPC),
  'mounts a folder of its node': ({ pod: { spec } }) => spec.volumes.every((volume) => !('hostPath' in volume)),
  'mounts a token of the API server': ({ pod: { spec } }) => !spec.automountServiceAccountToken,
};

const CONTAINER_REQUIREMENTS: Readonly<Record<string, (container: Container) => boolean>> = {
  'is privileged': ({ securityContext }) => securityContext?.privileged === false,
  'may gain privileges': ({ securityContext }) => securityContext?.allowPrivilegeEscalation === false,
  'may write to its root file system': ({ securityContext }) => securityContext?.readOnlyRootFilesystem === true,
  'keeps capabilities': ({ securityContext: { capabilities } = {} }) =>
    capabilities?.drop.includes('ALL') === true && capabilities.add.length === 0,
  'runs as root': ({ securityContext }) => securityContext?.runAsUser !== 0,
};

const RESTRICTED = ['enforce', 'audit', 'warn'].map((mode) => `pod-security.kubernetes.io/${mode}`);

/** Lists pods with more permissions than PodSecurity `restricted` and this project allow. */
export function securityViolations(objects: readonly KubeObject[]): string[] {
  const pods = workloadsOf(objects).flatMap((workload) => [
    ...findViolations(POD_REQUIREMENTS, workload).map((violation) => `${workload.name} ${violation}`),
    ...containersOf(workload).flatMap((container) =>
      findViolations(CONTAINER_REQUIREMENTS, container).map(
        (violation) => `${workload.name}/${container.name} ${violation}`,
      ),
    ),
  ]);
  const accounts = ofKind(objects, 'ServiceAccount')
    .filter((account) => account.automountServiceAccountToken)
    .map(({ metadata }) => `service account ${metadata.name} mounts its token into pods`);
  const namespaces = objects
    .filter(
      ({ kind, metadata }) => kind === 'Namespace' && RESTRICTED.some((key) => metadata.labels[key] !== 'restricted'),
    )
    .map(({ metadata }) => `namespace ${metadata.name} does not enforce restricted pods`);
  const withoutNamespace = objects
    .filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace === '')
    .map(({ kind, metadata }) => `${kind} ${metadata.name} has no namespace`);
  return [...pods, ...accounts, ...namespaces, ...withoutNamespace];
}

const findViolations = <T>(rules: Readonly<Record<string, (value: T) => boolean>>, value: T): string[] =>
  Object.entries(rules).flatMap(([violation, isMet]) => (isMet(value) ? [] : [violation]));
