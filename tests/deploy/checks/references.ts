import { containersOf, type KubeObject, matches, ofKind, type Workload, workloadsOf } from '../manifest.ts';

/** Lists references to objects that do not exist, and selectors that match the wrong pods. */
export const referenceViolations = (objects: readonly KubeObject[]): string[] => {
  const workloads = workloadsOf(objects);
  return [
    ...workloads.flatMap((workload) => selectorViolations(workload, workloads)),
    ...serviceViolations(objects, workloads),
    ...pathViolations(objects),
    ...monitorViolations(objects, workloads),
    ...accountViolations(objects, workloads),
    ...scalingViolations(objects, workloads),
  ];
};

function selectorViolations({ kind, name, pod, selector }: Workload, all: readonly Workload[]): string[] {
  if (!selector) return [];
  const unselected = matches(selector, pod.metadata.labels) ? [] : [`${kind} ${name} does not select its own pods`];
  const others = all.filter((other) => other.name !== name && matches(selector, other.pod.metadata.labels));
  return [...unselected, ...others.map((other) => `${kind} ${name} also selects the pods of ${other.name}`)];
}

function serviceViolations(objects: readonly KubeObject[], workloads: readonly Workload[]): string[] {
  return ofKind(objects, 'Service').flatMap(({ metadata: { name }, spec }) => {
    const [workload, ...otherWorkloads] = workloads.filter(({ pod }) => matches(spec.selector, pod.metadata.labels));
    if (!workload) return [`Service ${name} selects no pod`];
    const ports = new Set(
      workload.pod.spec.containers.flatMap((container) =>
        container.ports.flatMap((port) => [port.name, port.containerPort]),
      ),
    );
    return [
      ...otherWorkloads.map((other) => `Service ${name} selects the pods of both ${workload.name} and ${other.name}`),
      ...spec.ports
        .filter(({ targetPort }) => !ports.has(targetPort))
        .map(({ targetPort }) => `Service ${name} targets port ${targetPort}, which ${workload.name} does not have`),
    ];
  });
}

/** Lists the public paths with the Service ports, by name or number, that they are routed to. */
export const publicPaths = (objects: readonly KubeObject[]) => [
  ...ofKind(objects, 'Ingress').flatMap(({ spec }) =>
    spec.rules.flatMap(({ host, http }) =>
      http.paths.map(({ path, backend: { service } }) => ({
        host,
        path,
        service: service.name,
        port: service.port.name ?? service.port.number,
      })),
    ),
  ),
  ...ofKind(objects, 'HTTPRoute').flatMap(({ spec: { hostnames, rules } }) =>
    rules.flatMap(({ matches: routeMatches, backendRefs }) =>
      hostnames.flatMap((host) =>
        routeMatches.flatMap(({ path }) =>
          backendRefs.map(({ name, port }) => ({ host, path: path.value, service: name, port })),
        ),
      ),
    ),
  ),
];

function pathViolations(objects: readonly KubeObject[]): string[] {
  const ports = new Map(ofKind(objects, 'Service').map(({ metadata, spec }) => [metadata.name, spec.ports]));
  return publicPaths(objects)
    .filter(
      ({ service, port }) =>
        !ports.get(service)?.some((servicePort) => servicePort.name === port || servicePort.port === port),
    )
    .map(({ path, service }) => `path ${path} is routed to Service ${service}, which has no such port`);
}

function monitorViolations(objects: readonly KubeObject[], workloads: readonly Workload[]): string[] {
  return ofKind(objects, 'PodMonitor').flatMap(({ metadata: { name }, spec }) => {
    const pods = workloads.filter(({ pod }) => matches(spec.selector.matchLabels, pod.metadata.labels));
    if (pods.length === 0) return [`PodMonitor ${name} selects no pod`];
    return spec.podMetricsEndpoints.flatMap(({ port }) =>
      pods
        .filter((pod) => !containersOf(pod).some(({ ports }) => ports.some((podPort) => podPort.name === port)))
        .map((pod) => `PodMonitor ${name} scrapes port ${port}, which ${pod.name} does not have`),
    );
  });
}

function accountViolations(objects: readonly KubeObject[], workloads: readonly Workload[]): string[] {
  const accounts = new Set(ofKind(objects, 'ServiceAccount').map(({ metadata }) => metadata.name));
  return workloads.flatMap(({ kind, name, pod: { spec } }) => {
    if (spec.serviceAccountName === undefined)
      return kind === 'Deployment' ? [`${name} has no dedicated service account`] : [];
    return accounts.has(spec.serviceAccountName)
      ? []
      : [`${name} uses the missing service account ${spec.serviceAccountName}`];
  });
}

/** Lists Deployments without exactly one matching autoscaler and one valid disruption budget. */
function scalingViolations(objects: readonly KubeObject[], workloads: readonly Workload[]): string[] {
  const scalers = ofKind(objects, 'HorizontalPodAutoscaler');
  const budgets = ofKind(objects, 'PodDisruptionBudget');
  const deployments = workloads.filter(({ kind }) => kind === 'Deployment');
  const names = new Set(deployments.map(({ name }) => name));
  return [
    ...scalers
      .filter(({ spec: { scaleTargetRef } }) => !names.has(scaleTargetRef.name))
      .map(
        ({ metadata, spec }) =>
          `autoscaler ${metadata.name} targets the missing Deployment ${spec.scaleTargetRef.name}`,
      ),
    ...scalers
      .filter(({ spec }) => spec.minReplicas > spec.maxReplicas)
      .map(({ metadata }) => `autoscaler ${metadata.name} has a maximum below its minimum`),
    ...deployments.flatMap(({ name, pod }) => {
      const scalerCount = scalers.filter(({ spec }) => spec.scaleTargetRef.name === name).length;
      const matchingBudgets = budgets.filter(({ spec }) => matches(spec.selector.matchLabels, pod.metadata.labels));
      return [
        ...(scalerCount === 1 ? [] : [`${name} has ${scalerCount} autoscalers`]),
        ...(matchingBudgets.length === 1 ? [] : [`${name} has ${matchingBudgets.length} disruption budgets`]),
        // A budget of zero would block node drains.
        ...matchingBudgets
          .filter(({ spec }) => spec.maxUnavailable !== 1)
          .map(() => `the disruption budget of ${name} does not allow exactly one pod at a time`),
        ...matchingBudgets
          .filter(({ spec }) => spec.unhealthyPodEvictionPolicy !== 'AlwaysAllow')
          .map(() => `the disruption budget of ${name} protects pods that are not ready`),
      ];
    }),
  ];
}
