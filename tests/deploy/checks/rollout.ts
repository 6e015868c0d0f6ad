import { z } from 'zod';
import { type KubeObject, type Workload, workloadsOf } from '../manifest.ts';
import { environmentOf } from './environment.ts';

const deployment = z.object({
  spec: z.object({
    replicas: z.never({ error: 'says how many pods there are, which is for its autoscaler' }).optional(),
    strategy: z.object({ rollingUpdate: z.object({ maxUnavailable: z.literal(0) }) }),
  }),
});

/** Seconds that a process may need after all that it has announced. */
const TO_SPARE = 5;
const SPREAD = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'];

const secondsToEnd = ({ DRAIN_SECONDS, SHUTDOWN_TIMEOUT_SECONDS }: Record<string, string>): number =>
  Number(DRAIN_SECONDS) + Number(SHUTDOWN_TIMEOUT_SECONDS) + TO_SPARE;

/** What would be felt when pods are replaced or a node goes. */
export function rolloutFaults(objects: readonly KubeObject[]): string[] {
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
          : [`${name} is ended after ${spec.terminationGracePeriodSeconds} seconds, and may need ${needed}`]),
        ...SPREAD.filter((key) => !keys.includes(key)).map((key) => `${name} is not spread by ${key}`),
      ];
    }),
  ];
}

const imageOf = ({ pod }: Workload): string | undefined => pod.spec.containers[0]?.image;

/** Every service with a schema has a Job that brings it up to date, with the very image that needs it. */
export function migrationFaults(objects: readonly KubeObject[], withSchema: readonly string[]): string[] {
  const workloads = workloadsOf(objects);
  const jobs = workloads.filter(({ pod }) => pod.metadata.labels['app.kubernetes.io/component'] === 'migration');
  return withSchema.flatMap((service) => {
    const deployed = workloads.find(({ kind, name }) => kind === 'Deployment' && name === service);
    const job = jobs.find(({ pod }) => pod.metadata.labels['app.kubernetes.io/name'] === `migrate-${service}`);
    if (!job || !deployed) return [`nothing migrates ${service}`];
    const [container] = job.pod.spec.containers;
    return [
      ...(imageOf(job) === imageOf(deployed) ? [] : [`${service} is migrated by the image ${imageOf(job)}`]),
      ...(container?.args.join(' ') === 'migrate' ? [] : [`the Job of ${service} does not migrate`]),
      ...(job.name === `migrate-${service}`
        ? [`the Job of ${service} has always the same name, and cannot be changed`]
        : []),
    ];
  });
}
