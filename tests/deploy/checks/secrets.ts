import { containersOf, type KubeObject, ofKind, workloadsOf } from '../manifest.ts';

/** Names of variables that hold secrets; does not match variables for file names and durations. */
const NAME =
  /(PASSWORD|SECRET|TOKEN|ACCESS_KEY|SEALING_KEY|CREDENTIALS)(_PREVIOUS)?$|^(DATABASE|MONGO|REDIS|SMTP)_URL$/;
/** Values that are secret: a URL with a password, or a private key. */
const VALUE = /:\/\/[^\s/:@]*:[^\s/@]+@|-----BEGIN [A-Z ]*PRIVATE KEY-----/;
/** References that Kubernetes or a shell replaces with values from a Secret. */
const REFERENCE = /\$\([A-Z_]+\)|\$\{?[A-Z_]+\}?/g;

const isSecret = (name: string, value: string): boolean =>
  (NAME.test(name) && value !== '') || VALUE.test(value.replace(REFERENCE, ''));

/** Lists secrets in manifests, where every reader of the repository can see them. */
export function plaintextSecretViolations(objects: readonly KubeObject[]): string[] {
  const secretObjects = objects
    .filter(({ kind }) => kind === 'Secret')
    .map(({ metadata }) => `Secret ${metadata.name} is part of the manifests`);
  const settings = ofKind(objects, 'ConfigMap').flatMap(({ metadata, data }) =>
    Object.entries(data)
      .filter(([name, value]) => isSecret(name, value))
      .map(([name]) => `ConfigMap ${metadata.name} contains ${name}`),
  );
  const containers = workloadsOf(objects).flatMap((workload) =>
    containersOf(workload).flatMap(({ name, env, command, args }) => [
      ...env
        .filter(({ name: key, value = '' }) => isSecret(key, value))
        .map((variable) => `${workload.name}/${name} has the value of ${variable.name}`),
      ...[...command, ...args]
        .filter((argument) => isSecret('', argument))
        .map(() => `${workload.name}/${name} has a secret in its command`),
    ]),
  );
  return [...secretObjects, ...settings, ...containers];
}
