import { containersOf, type KubeObject, ofKind, type Workload, workloadsOf } from '../manifest.ts';

const UNITS: Readonly<Record<string, number>> = { '': 1, m: 0.001, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };

/** Parses a Kubernetes quantity: cores or bytes. */
const parseQuantity = (quantity: string | number = 0): number => {
  const [, value, unit = ''] = /^([\d.]+)(m|[KMGT]i)?$/.exec(String(quantity)) ?? [];
  if (value === undefined) throw new Error(`Unsupported quantity: ${quantity}`);
  return Number(value) * (UNITS[unit] ?? Number.NaN);
};

/** Additional pods during a rolling update, as a share of all pods. */
const SURGE = 0.25;
const withSurge = (pods: number): number => pods + Math.ceil(pods * SURGE);

const replicas = (
  objects: readonly KubeObject[],
  { kind, name }: Workload,
  bound: 'minReplicas' | 'maxReplicas',
): number => {
  if (kind !== 'Deployment') return 1;
  const scaler = ofKind(objects, 'HorizontalPodAutoscaler').find(({ spec }) => spec.scaleTargetRef.name === name);
  return withSurge(scaler?.spec[bound] ?? 1);
};

/** Sums up the resource requests of an overlay at its minimum size during a rolling update of everything. */
export const requestsOf = (objects: readonly KubeObject[], resource: 'cpu' | 'memory'): number =>
  workloadsOf(objects)
    .map((workload) => {
      const podRequest = containersOf(workload).reduce(
        (sum, { resources }) => sum + parseQuantity(resources.requests[resource]),
        0,
      );
      return podRequest * replicas(objects, workload, 'minReplicas');
    })
    .reduce((sum, request) => sum + request, 0);

/**
 * Connections of a pod outside its pool: the relay, its lease and housekeeping, and a migration or the check for it.
 */
const CONNECTIONS_OUTSIDE_POOL = 3;
/** Connections for operators, for backups, and those that PostgreSQL reserves for superusers. */
const RESERVED_CONNECTIONS = 15;

export type ConnectionBudget = { required: number; available: number };

/**
 * Compares `max_connections` with all pods that autoscalers may start. Returns undefined for an external PostgreSQL.
 */
export function computeConnectionBudget(objects: readonly KubeObject[]): ConnectionBudget | undefined {
  const workloads = workloadsOf(objects);
  const server = workloads.find(({ kind, name }) => kind === 'StatefulSet' && name === 'postgres');
  if (!server) return undefined;
  const settings = ofKind(objects, 'ConfigMap').find(({ data }) => data.DATABASE_POOL_SIZE !== undefined);
  const pool = Number(settings?.data.DATABASE_POOL_SIZE);
  const clients = workloads.filter(({ pod }) => pod.metadata.labels['postgres-client'] === 'true');
  const deploymentConnections = clients
    .filter(({ kind }) => kind === 'Deployment')
    .map((workload) => replicas(objects, workload, 'maxReplicas') * (pool + CONNECTIONS_OUTSIDE_POOL));
  const setting = containersOf(server)
    .flatMap(({ args }) => args)
    .find((argument) => argument.startsWith('max_connections='));
  return {
    required:
      deploymentConnections.reduce((sum, count) => sum + count, 0) +
      clients.length -
      deploymentConnections.length +
      RESERVED_CONNECTIONS,
    available: Number(setting?.split('=')[1]),
  };
}
