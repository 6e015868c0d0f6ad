import { z } from 'zod';
import { type KubeObject, type Workload, workloadsOf } from '../manifest.ts';
import { environmentOf } from './environment.ts';

const deployment = z.object({
  spec: z.object({
    replicas: z.never({ error: 'sets replicas, which its autoscaler controls' }).optional(),
    strategy: z.object({ rollingUpdate: z.object({ maxUnavailable: z.literal(0) }) }),
  }),
});

/** Additional seconds before a pod is killed. */
const TO_SPARE = 5;
const SPREAD = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'];

const secondsToEnd = ({ DRAIN_SECONDS, SHUTDOWN_TIMEOUT_SECONDS }: Record<string, string>): number =>
  Number(DRAIN_SECONDS) + Number(SHUTDOWN_TIMEOUT_SECONDS) + TO_SPARE;

/** Settings that would disrupt users when pods are replaced or a node fails. */
export function rolloutViolations(objects: readonly KubeObject[]): string[] {
  const deployments = objects.filter(({ kind }) => kind === 'Deployment');
  return [
    ...deployments.flatMap((one) => {
      const { error } = deployment.safeParse(one);
      return error ? [`${one.metadata.name}: ${error.issues.map(({ message }) => message).join(', ')}`] : [];
    }),
    ...workloadsOf(deployments).flatMap(({ name, pod: { spec } }) => {
      const needed = Math.max(...spec.containers.map((one) => secondsToEnd(environmentOf(objects, {}, one).env)));
      const keys = spec.topologySpreadConstraints.map(({ topologyKey }) => topologyKey);
      return [
        ...(spec.terminationGracePeriodSeconds >= needed
          ? []
          : [`${name} has a grace period of ${spec.terminationGracePeriodSeconds} seconds, and may need ${needed}`]),
        ...SPREAD.filter((key) => !keys.includes(key)).map((key) => `${name} is not spread across ${key}`),
      ];
    }),
  ];
}

const imageOf = ({ pod }: Workload): string | undefined => pod.spec.containers[0]?.image;

/** Every service with a schema needs a migration Job with the same image. */
export function migrationViolations(objects: readonly KubeObject[], withSchema: readonly string[]): string[] {
  const workloads = workloadsOf(objects);
  const jobs = workloads.filter(({ pod }) => pod.metadata.labels['app.kubernetes.io/component'] === 'migration');
  return withSchema.flatMap((service) => {
    const deployed = workloads.find(({ kind, name }) => kind === 'Deployment' && name === service);
    const job = jobs.find(({ pod }) => pod.metadata.labels['app.kubernetes.io/name'] === `migrate-${service}`);
    if (!job || !deployed) return [`${service} has no migration Job`];
    const [container] = job.pod.spec.containers;
    return [
      ...(imageOf(job) === imageOf(deployed) ? [] : [`${service} is migrated by the image ${imageOf(job)}`]),
      ...(container?.args.join(' ') === 'migrate' ? [] : [`the Job of ${service} does not run migrations`]),
      ...(job.name === `migrate-${service}` ? [`the Job of ${service} has a fixed name, so it cannot be updated`] : []),
    ];
  });
}
