import { containersOf, type KubeObject, ofKind, type Workload, workloadsOf } from '../manifest.ts';

const UNITS: Readonly<Record<string, number>> = { '': 1, m: 0.001, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };

/** Parses a Kubernetes quantity: cores or bytes. */
const amount = (quantity: string | number = 0): number => {
  const [, value, unit = ''] = /^([\d.]+)(m|[KMGT]i)?$/.exec(String(quantity)) ?? [];
  if (value === undefined) throw new Error(`Unsupported quantity: ${quantity}`);
  return Number(value) * (UNITS[unit] ?? Number.NaN);
};

/** The share of additional pods during a rolling update. */
const SURGE = 0.25;
const withSurge = (pods: number): number => pods + Math.ceil(pods * SURGE);

const replicas = (
  objects: readonly KubeObject[],
  { kind, name }: Workload,
  which: 'minReplicas' | 'maxReplicas',
): number => {
  if (kind !== 'Deployment') return 1;
  const scaler = ofKind(objects, 'HorizontalPodAutoscaler').find(({ spec }) => spec.scaleTargetRef.name === name);
  return withSurge(scaler?.spec[which] ?? 1);
};

/** Resource requests of an overlay at its minimum size during a rolling update of everything. */
export const requestsOf = (objects: readonly KubeObject[], what: 'cpu' | 'memory'): number =>
  workloadsOf(objects)
    .map((workload) => {
      const ofPod = containersOf(workload).reduce((sum, { resources }) => sum + amount(resources.requests[what]), 0);
      return ofPod * replicas(objects, workload, 'minReplicas');
    })
    .reduce((sum, one) => sum + one, 0);

/** The relay, its lease and housekeeping, and one for a migration or a check for it. */
const CONNECTIONS_BESIDE_POOL = 3;
/** For operators, backups, and PostgreSQL's reserved superuser connections. */
const RESERVED_CONNECTIONS = 15;

/** The `max_connections` needed for all pods that autoscalers may start; undefined for an external PostgreSQL. */
export function connections(objects: readonly KubeObject[]): { needed: number; there: number } | undefined {
  const workloads = workloadsOf(objects);
  const server = workloads.find(({ kind, name }) => kind === 'StatefulSet' && name === 'postgres');
  if (!server) return undefined;
  const settings = ofKind(objects, 'ConfigMap').find(({ data }) => data.DATABASE_POOL_SIZE !== undefined);
  const pool = Number(settings?.data.DATABASE_POOL_SIZE);
  const clients = workloads.filter(({ pod }) => pod.metadata.labels['postgres-client'] === 'true');
  const ofDeployments = clients
    .filter(({ kind }) => kind === 'Deployment')
    .map((workload) => replicas(objects, workload, 'maxReplicas') * (pool + CONNECTIONS_BESIDE_POOL));
  const setting = containersOf(server)
    .flatMap(({ args }) => args)
    .find((word) => word.startsWith('max_connections='));
  return {
    needed:
      ofDeployments.reduce((sum, one) => sum + one, 0) + clients.length - ofDeployments.length + RESERVED_CONNECTIONS,
    there: Number(setting?.split('=')[1]),
  };
}
