import { containersOf, type KubeObject, ofKind, workloadsOf } from '../manifest.ts';

/** Variable names of secrets, except names of files and durations. */
const NAME =
  /(PASSWORD|SECRET|TOKEN|ACCESS_KEY|SEALING_KEY|CREDENTIALS)(_PREVIOUS)?$|^(DATABASE|MONGO|REDIS|SMTP)_URL$/;
/** A URL with a password, or a private key. */
const VALUE = /:\/\/[^\s/:@]*:[^\s/@]+@|-----BEGIN [A-Z ]*PRIVATE KEY-----/;
/** Substituted by Kubernetes or a shell, from a Secret. */
const REFERENCE = /\$\([A-Z_]+\)|\$\{?[A-Z_]+\}?/g;

const isSecret = (name: string, value: string): boolean =>
  (NAME.test(name) && value !== '') || VALUE.test(value.replace(REFERENCE, ''));

/** Secrets written into manifests, where every reader of the repository can see them. */
export function secretsInText(objects: readonly KubeObject[]): string[] {
  const whole = objects
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
        .map((one) => `${workload.name}/${name} has the value of ${one.name}`),
      ...[...command, ...args]
        .filter((word) => isSecret('', word))
        .map(() => `${workload.name}/${name} has a secret in its command`),
    ]),
  );
  return [...whole, ...settings, ...containers];
}
