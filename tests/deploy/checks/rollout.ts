import { z } from 'zod';
import { type KubeObject, type Workload, workloadsOf } from '../manifest.ts';
import { resolveEnvironment } from './environment.ts';

const deployment = z.object({
  spec: z.object({
    replicas: z.never({ error: 'sets replicas, which its autoscaler controls' }).optional(),
    strategy: z.object({ rollingUpdate: z.object({ maxUnavailable: z.literal(0) }) }),
  }),
});

/** Additional seconds before a pod is killed. */
const RESERVE_SECONDS = 5;
const SPREAD_KEYS = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'];

const maxSecondsToStop = ({ DRAIN_SECONDS, SHUTDOWN_TIMEOUT_SECONDS }: Record<string, string>): number =>
  Number(DRAIN_SECONDS) + Number(SHUTDOWN_TIMEOUT_SECONDS) + RESERVE_SECONDS;

/** Lists settings that would disrupt users when pods are replaced or a node fails. */
export function rolloutViolations(objects: readonly KubeObject[]): string[] {
  const deployments = objects.filter(({ kind }) => kind === 'Deployment');
  return [
    ...deployments.flatMap((object) => {
      const { error } = deployment.safeParse(object);
      return error ? [`${object.metadata.name}: ${error.issues.map(({ message }) => message).join(', ')}`] : [];
    }),
    ...workloadsOf(deployments).flatMap(({ name, pod: { spec } }) => {
      const requiredSeconds = Math.max(
        ...spec.containers.map((container) => maxSecondsToStop(resolveEnvironment(objects, {}, container).env)),
      );
      const keys = spec.topologySpreadConstraints.map(({ topologyKey }) => topologyKey);
      return [
        ...(spec.terminationGracePeriodSeconds >= requiredSeconds
          ? []
          : [
              `${name} has a grace period of ${spec.terminationGracePeriodSeconds} seconds, and may need ${requiredSeconds}`,
            ]),
        ...SPREAD_KEYS.filter((key) => !keys.includes(key)).map((key) => `${name} is not spread across ${key}`),
      ];
    }),
  ];
}

const imageOf = ({ pod }: Workload): string | undefined => pod.spec.containers[0]?.image;

/** Lists services with a schema but without a migration Job that runs the same image. */
export function migrationViolations(objects: readonly KubeObject[], withSchema: readonly string[]): string[] {
  const workloads = workloadsOf(objects);
  const jobs = workloads.filter(({ pod }) => pod.metadata.labels['app.kubernetes.io/component'] === 'migration');
  return withSchema.flatMap((service) => {
    const serviceWorkload = workloads.find(({ kind, name }) => kind === 'Deployment' && name === service);
    const job = jobs.find(({ pod }) => pod.metadata.labels['app.kubernetes.io/name'] === `migrate-${service}`);
    if (!job || !serviceWorkload) return [`${service} has no migration Job`];
    const [container] = job.pod.spec.containers;
    return [
      ...(imageOf(job) === imageOf(serviceWorkload) ? [] : [`${service} is migrated by the image ${imageOf(job)}`]),
      ...(container?.args.join(' ') === 'migrate' ? [] : [`the Job of ${service} does not run migrations`]),
      ...(job.name === `migrate-${service}` ? [`the Job of ${service} has a fixed name, so it cannot be updated`] : []),
    ];
  });
}
