import { containersOf, type KubeObject, ofKind, type Workload, workloadsOf } from '../manifest.ts';
import { amount } from './quantity.ts';

/** The share of pods that a rolling update may start besides. */
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

/** What an overlay asks of its nodes with its fewest pods while all of them are replaced. */
export const requestsOf = (objects: readonly KubeObject[], what: 'cpu' | 'memory'): number =>
  workloadsOf(objects)
    .map((workload) => {
      const ofPod = containersOf(workload).reduce((sum, { resources }) => sum + amount(resources.requests[what]), 0);
      return ofPod * replicas(objects, workload, 'minReplicas');
    })
    .reduce((sum, one) => sum + one, 0);

/** Of the relay, its lease and housekeeping, and one that migrates or looks whether somebody has. */
const BESIDES_THE_POOL = 3;
/** For an operator, a backup, and what PostgreSQL keeps for its superuser. */
const FOR_OTHERS = 15;

/** What `max_connections` of PostgreSQL must be for every pod that autoscalers may start, or undefined where it is not ours. */
export function connections(objects: readonly KubeObject[]): { needed: number; there: number } | undefined {
  const workloads = workloadsOf(objects);
  const server = workloads.find(({ kind, name }) => kind === 'StatefulSet' && name === 'postgres');
  if (!server) return undefined;
  const settings = ofKind(objects, 'ConfigMap').find(({ data }) => data.DATABASE_POOL_SIZE !== undefined);
  const pool = Number(settings?.data.DATABASE_POOL_SIZE);
  const clients = workloads.filter(({ pod }) => pod.metadata.labels['postgres-client'] === 'true');
  const ofDeployments = clients
    .filter(({ kind }) => kind === 'Deployment')
    .map((workload) => replicas(objects, workload, 'maxReplicas') * (pool + BESIDES_THE_POOL));
  const setting = containersOf(server)
    .flatMap(({ args }) => args)
    .find((word) => word.startsWith('max_connections='));
  return {
    needed: ofDeployments.reduce((sum, one) => sum + one, 0) + clients.length - ofDeployments.length + FOR_OTHERS,
    there: Number(setting?.split('=')[1]),
  };
}
