import { secretsOf } from '@atrium/tools/secrets/layout';
import { secretValues } from '@atrium/tools/secrets/values';
import { type Container, type KubeObject, ofKind, workloadsOf } from '../manifest.ts';

/** The content of each Secret, as `npm run secrets` makes it. */
export type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>;
type ReadConfig = (source: NodeJS.ProcessEnv) => unknown;

/** The environment of a container, and references that do not resolve. */
export function environmentOf(
  objects: readonly KubeObject[],
  secrets: Secrets,
  container: Container,
): { env: Record<string, string>; violations: string[] } {
  const maps = new Map(ofKind(objects, 'ConfigMap').map(({ metadata, data }) => [metadata.name, data]));
  const violations: string[] = [];
  const env: Record<string, string> = {};
  const source = (kind: string, name: string, found: Readonly<Record<string, string>> | undefined) => {
    if (!found) violations.push(`${kind} ${name} not found`);
    return found ?? {};
  };
  for (const { configMapRef, secretRef } of container.envFrom) {
    if (configMapRef) Object.assign(env, source('ConfigMap', configMapRef.name, maps.get(configMapRef.name)));
    if (secretRef) Object.assign(env, source('Secret', secretRef.name, secrets[secretRef.name]));
  }
  for (const { name, value, valueFrom: { secretKeyRef, configMapKeyRef } = {} } of container.env) {
    const ref = secretKeyRef ?? configMapKeyRef;
    const content = secretKeyRef
      ? source('Secret', secretKeyRef.name, secrets[secretKeyRef.name])
      : configMapKeyRef && source('ConfigMap', configMapKeyRef.name, maps.get(configMapKeyRef.name));
    const found = value ?? (ref && content?.[ref.key]);
    if (found !== undefined) env[name] = found;
    else if (!ref?.optional) violations.push(`${name} refers to a missing key: ${JSON.stringify(ref)}`);
  }
  return { env, violations };
}

/** References to missing Secrets and ConfigMaps, and configuration errors reported by the services. */
export function environmentViolations(
  objects: readonly KubeObject[],
  secrets: Secrets,
  readers: ReadonlyMap<string, ReadConfig>,
): string[] {
  return workloadsOf(objects).flatMap((workload) =>
    [...workload.pod.spec.initContainers, ...workload.pod.spec.containers].flatMap((container) => {
      const { env, violations } = environmentOf(objects, secrets, container);
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

/** The Secrets that `npm run secrets -- kubernetes` generates. */
export const generateSecrets = (): Secrets =>
  secretsOf(Object.fromEntries(Object.entries(secretValues).map(([name, make]) => [name, make()])));
