import { buildSecrets } from '@atrium/tools/secrets/layout';
import { secretValues } from '@atrium/tools/secrets/values';
import { type Container, type KubeObject, ofKind, workloadsOf } from '../manifest.ts';

/** The content of each Secret, as `npm run secrets` generates it. */
export type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>;
type ReadConfig = (source: NodeJS.ProcessEnv) => unknown;

/** Resolves the environment of a container, and lists references that do not resolve. */
export function resolveEnvironment(
  objects: readonly KubeObject[],
  secrets: Secrets,
  container: Container,
): { env: Record<string, string>; violations: string[] } {
  const maps = new Map(ofKind(objects, 'ConfigMap').map(({ metadata, data }) => [metadata.name, data]));
  const violations: string[] = [];
  const env: Record<string, string> = {};
  const requireSource = (kind: string, name: string, content: Readonly<Record<string, string>> | undefined) => {
    if (!content) violations.push(`${kind} ${name} not found`);
    return content ?? {};
  };
  for (const { configMapRef, secretRef } of container.envFrom) {
    if (configMapRef) Object.assign(env, requireSource('ConfigMap', configMapRef.name, maps.get(configMapRef.name)));
    if (secretRef) Object.assign(env, requireSource('Secret', secretRef.name, secrets[secretRef.name]));
  }
  for (const { name, value, valueFrom: { secretKeyRef, configMapKeyRef } = {} } of container.env) {
    const ref = secretKeyRef ?? configMapKeyRef;
    const content = secretKeyRef
      ? requireSource('Secret', secretKeyRef.name, secrets[secretKeyRef.name])
      : configMapKeyRef && requireSource('ConfigMap', configMapKeyRef.name, maps.get(configMapKeyRef.name));
    const resolved = value ?? (ref && content?.[ref.key]);
    if (resolved !== undefined) env[name] = resolved;
    else if (!ref?.optional) violations.push(`${name} refers to a missing key: ${JSON.stringify(ref)}`);
  }
  return { env, violations };
}

/** Lists references to missing Secrets and ConfigMaps, and configuration errors that the services report. */
export function environmentViolations(
  objects: readonly KubeObject[],
  secrets: Secrets,
  readers: ReadonlyMap<string, ReadConfig>,
): string[] {
  return workloadsOf(objects).flatMap((workload) =>
    [...workload.pod.spec.initContainers, ...workload.pod.spec.containers].flatMap((container) => {
      const { env, violations } = resolveEnvironment(objects, secrets, container);
      const read = workload.kind === 'Deployment' ? readers.get(workload.name) : undefined;
      return [...violations, ...configErrors(read, env)].map(
        (violation) => `${workload.name}/${container.name}: ${violation}`,
      );
    }),
  );
}

function configErrors(read: ReadConfig | undefined, env: Record<string, string>): string[] {
  try {
    read?.(env);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Returns the Secrets that `npm run secrets -- kubernetes` generates. */
export const generateSecrets = (): Secrets =>
  buildSecrets(Object.fromEntries(Object.entries(secretValues).map(([name, make]) => [name, make()])));
