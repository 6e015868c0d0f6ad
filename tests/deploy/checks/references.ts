import { containersOf, type KubeObject, matches, ofKind, type Workload, workloadsOf } from '../manifest.ts';

/** Objects that name others which are not there, or are others than they mean. */
export const referenceFaults = (objects: readonly KubeObject[]): string[] => {
  const workloads = workloadsOf(objects);
  return [
    ...workloads.flatMap((workload) => selectorFaults(workload, workloads)),
    ...serviceFaults(objects, workloads),
    ...pathFaults(objects),
    ...monitorFaults(objects, workloads),
    ...accountFaults(objects, workloads),
    ...scalingFaults(objects, workloads),
  ];
};

function selectorFaults({ kind, name, pod, selector }: Workload, all: readonly Workload[]): string[] {
  if (!selector) return [];
  const own = matches(selector, pod.metadata.labels) ? [] : [`${kind} ${name} does not select its own pods`];
  const others = all.filter((other) => other.name !== name && matches(selector, other.pod.metadata.labels));
  return [...own, ...others.map((other) => `${kind} ${name} selects the pods of ${other.name}, too`)];
}

function serviceFaults(objects: readonly KubeObject[], workloads: readonly Workload[]): string[] {
  return ofKind(objects, 'Service').flatMap(({ metadata: { name }, spec }) => {
    const [first, ...more] = workloads.filter(({ pod }) => matches(spec.selector, pod.metadata.labels));
    if (!first) return [`Service ${name} selects no pod`];
    const ports = new Set(
      first.pod.spec.containers.flatMap((one) => one.ports.flatMap((port) => [port.name, port.containerPort])),
    );
    return [
      ...more.map((other) => `Service ${name} selects the pods of ${other.name} besides those of ${first.name}`),
      ...spec.ports
        .filter(({ targetPort }) => !ports.has(targetPort))
        .map(({ targetPort }) => `Service ${name} leads to port ${targetPort}, which ${first.name} does not have`),
    ];
  });
}

/** The paths of the address that people open, and the port of a Service to which each leads, by its name or its number. */
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

function pathFaults(objects: readonly KubeObject[]): string[] {
  const ports = new Map(ofKind(objects, 'Service').map(({ metadata, spec }) => [metadata.name, spec.ports]));
  return publicPaths(objects)
    .filter(({ service, port }) => !ports.get(service)?.some((one) => one.name === port || one.port === port))
    .map(({ path, service }) => `the path ${path} leads to Service ${service}, which has no such port`);
}

function monitorFaults(objects: readonly KubeObject[], workloads: readonly Workload[]): string[] {
  return ofKind(objects, 'PodMonitor').flatMap(({ metadata: { name }, spec }) => {
    const pods = workloads.filter(({ pod }) => matches(spec.selector.matchLabels, pod.metadata.labels));
    if (pods.length === 0) return [`the PodMonitor ${name} selects no pod`];
    return spec.podMetricsEndpoints.flatMap(({ port }) =>
      pods
        .filter((one) => !containersOf(one).some(({ ports }) => ports.some((own) => own.name === port)))
        .map((one) => `the PodMonitor ${name} asks port ${port}, which ${one.name} does not have`),
    );
  });
}

function accountFaults(objects: readonly KubeObject[], workloads: readonly Workload[]): string[] {
  const accounts = new Set(ofKind(objects, 'ServiceAccount').map(({ metadata }) => metadata.name));
  return workloads.flatMap(({ kind, name, pod: { spec } }) => {
    if (spec.serviceAccountName === undefined)
      return kind === 'Deployment' ? [`${name} has no account of its own`] : [];
    return accounts.has(spec.serviceAccountName)
      ? []
      : [`${name} names the account ${spec.serviceAccountName}, which is not there`];
  });
}

/** Every Deployment has one autoscaler and one disruption budget that fit it. */
function scalingFaults(objects: readonly KubeObject[], workloads: readonly Workload[]): string[] {
  const scalers = ofKind(objects, 'HorizontalPodAutoscaler');
  const budgets = ofKind(objects, 'PodDisruptionBudget');
  const deployments = workloads.filter(({ kind }) => kind === 'Deployment');
  const names = new Set(deployments.map(({ name }) => name));
  return [
    ...scalers
      .filter(({ spec: { scaleTargetRef } }) => !names.has(scaleTargetRef.name))
      .map(
        ({ metadata, spec }) => `the autoscaler ${metadata.name} means ${spec.scaleTargetRef.name}, which is not there`,
      ),
    ...scalers
      .filter(({ spec }) => spec.minReplicas > spec.maxReplicas)
      .map(({ metadata }) => `the autoscaler ${metadata.name} has less than its least at its most`),
    ...deployments.flatMap(({ name, pod }) => {
      const own = scalers.filter(({ spec }) => spec.scaleTargetRef.name === name).length;
      const fitting = budgets.filter(({ spec }) => matches(spec.selector.matchLabels, pod.metadata.labels));
      return [
        ...(own === 1 ? [] : [`${name} has ${own} autoscalers`]),
        ...(fitting.length === 1 ? [] : [`${name} has ${fitting.length} disruption budgets`]),
        // One that lets nobody go keeps a node from being drained.
        ...fitting
          .filter(({ spec }) => spec.maxUnavailable !== 1)
          .map(() => `the disruption budget of ${name} is not one pod at a time`),
        ...fitting
          .filter(({ spec }) => spec.unhealthyPodEvictionPolicy !== 'AlwaysAllow')
          .map(() => `the disruption budget of ${name} keeps a pod that is not ready`),
      ];
    }),
  ];
}
