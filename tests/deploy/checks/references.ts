import { containersOf, type KubeObject, matches, ofKind, type Workload, workloadsOf } from '../manifest.ts';

/** References to objects that do not exist, and selectors that match the wrong pods. */
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
  const own = matches(selector, pod.metadata.labels) ? [] : [`${kind} ${name} does not select its own pods`];
  const others = all.filter((other) => other.name !== name && matches(selector, other.pod.metadata.labels));
  return [...own, ...others.map((other) => `${kind} ${name} selects the pods of ${other.name}, too`)];
}

function serviceViolations(objects: readonly KubeObject[], workloads: readonly Workload[]): string[] {
  return ofKind(objects, 'Service').flatMap(({ metadata: { name }, spec }) => {
    const [first, ...more] = workloads.filter(({ pod }) => matches(spec.selector, pod.metadata.labels));
    if (!first) return [`Service ${name} selects no pod`];
    const ports = new Set(
      first.pod.spec.containers.flatMap((one) => one.ports.flatMap((port) => [port.name, port.containerPort])),
    );
    return [
      ...more.map((other) => `Service ${name} selects the pods of both ${first.name} and ${other.name}`),
      ...spec.ports
        .filter(({ targetPort }) => !ports.has(targetPort))
        .map(({ targetPort }) => `Service ${name} targets port ${targetPort}, which ${first.name} does not have`),
    ];
  });
}

/** The public paths, each with the Service port that it is routed to, by name or number. */
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
    rules.flatMap(({ matches: places, backendRefs }) =>
      hostnames.flatMap((host) =>
        places.flatMap(({ path }) =>
          backendRefs.map(({ name, port }) => ({ host, path: path.value, service: name, port })),
        ),
      ),
    ),
  ),
];

function pathViolations(objects: readonly KubeObject[]): string[] {
  const ports = new Map(ofKind(objects, 'Service').map(({ metadata, spec }) => [metadata.name, spec.ports]));
  return publicPaths(objects)
    .filter(({ service, port }) => !ports.get(service)?.some((one) => one.name === port || one.port === port))
    .map(({ path, service }) => `path ${path} is routed to Service ${service}, which has no such port`);
}

function monitorViolations(objects: readonly KubeObject[], workloads: readonly Workload[]): string[] {
  return ofKind(objects, 'PodMonitor').flatMap(({ metadata: { name }, spec }) => {
    const pods = workloads.filter(({ pod }) => matches(spec.selector.matchLabels, pod.metadata.labels));
    if (pods.length === 0) return [`PodMonitor ${name} selects no pod`];
    return spec.podMetricsEndpoints.flatMap(({ port }) =>
      pods
        .filter((one) => !containersOf(one).some(({ ports }) => ports.some((own) => own.name === port)))
        .map((one) => `PodMonitor ${name} scrapes port ${port}, which ${one.name} does not have`),
    );
  });
}

function accountViolations(objects: readonly KubeObject[], workloads: readonly Workload[]): string[] {
  const accounts = new Set(ofKind(objects, 'ServiceAccount').map(({ metadata }) => metadata.name));
  return workloads.flatMap(({ kind, name, pod: { spec } }) => {
    if (spec.serviceAccountName === undefined)
      return kind === 'Deployment' ? [`${name} has no service account of its own`] : [];
    return accounts.has(spec.serviceAccountName)
      ? []
      : [`${name} uses the missing service account ${spec.serviceAccountName}`];
  });
}

/** Every Deployment needs a matching autoscaler and disruption budget. */
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
      const own = scalers.filter(({ spec }) => spec.scaleTargetRef.name === name).length;
      const fitting = budgets.filter(({ spec }) => matches(spec.selector.matchLabels, pod.metadata.labels));
      return [
        ...(own === 1 ? [] : [`${name} has ${own} autoscalers`]),
        ...(fitting.length === 1 ? [] : [`${name} has ${fitting.length} disruption budgets`]),
        // A budget of zero would block node drains.
        ...fitting
          .filter(({ spec }) => spec.maxUnavailable !== 1)
          .map(() => `the disruption budget of ${name} does not allow exactly one pod at a time`),
        ...fitting
          .filter(({ spec }) => spec.unhealthyPodEvictionPolicy !== 'AlwaysAllow')
          .map(() => `the disruption budget of ${name} protects pods that are not ready`),
      ];
    }),
  ];
}
