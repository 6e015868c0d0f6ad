import { type Container, containersOf, type KubeObject, workloadsOf } from '../manifest.ts';

const isPinned = (image: string): boolean => {
  const [, tag] = /:([^/:@]+)$/.exec(image) ?? [];
  return image.includes('@sha256:') || (tag !== undefined && tag !== 'latest');
};

const PROBES = ['startupProbe', 'livenessProbe', 'readinessProbe'] as const;

/** Checks only containers with a port. */
const probeViolations = (container: Container): string[] => {
  if (container.ports.length === 0) return [];
  const ports = new Set(container.ports.flatMap(({ name, containerPort }) => [name, containerPort]));
  return PROBES.flatMap((name) => {
    const probe = container[name];
    if (!probe) return [`has no ${name}`];
    const port = probe.httpGet?.port ?? probe.tcpSocket?.port;
    return port === undefined || ports.has(port) ? [] : [`has a ${name} on port ${port}, which it does not have`];
  });
};

const limitViolations = ({ resources: { requests, limits } }: Container): string[] =>
  ['cpu', 'memory'].flatMap((resource) => [
    ...(requests[resource] === undefined ? [`requests no ${resource}`] : []),
    ...(limits[resource] === undefined ? [`has no ${resource} limit`] : []),
  ]);

/** Lists containers without probes, limits, or a pinned image. */
export const containerViolations = (objects: readonly KubeObject[]): string[] =>
  workloadsOf(objects).flatMap((workload) =>
    containersOf(workload).flatMap((container) =>
      [
        ...(isPinned(container.image) ? [] : [`has the image ${container.image}, which is not pinned`]),
        ...(container.imagePullPolicy === 'IfNotPresent' ? [] : ['pulls an image that may already exist']),
        ...limitViolations(container),
        ...probeViolations(container),
      ].map((violation) => `${workload.name}/${container.name} ${violation}`),
    ),
  );

/** Probe paths of Atrium's own processes. */
const PATHS = { startupProbe: '/livez', livenessProbe: '/livez', readinessProbe: '/readyz' } as const;

export const probePathViolations = (objects: readonly KubeObject[]): string[] =>
  workloadsOf(objects)
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap((workload) =>
      PROBES.flatMap((name) => {
        const path = workload.pod.spec.containers[0]?.[name]?.httpGet?.path;
        return path === PATHS[name] ? [] : [`${workload.name}: its ${name} requests ${path} instead of ${PATHS[name]}`];
      }),
    );
