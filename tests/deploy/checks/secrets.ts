import { containersOf, type KubeObject, ofKind, workloadsOf } from '../manifest.ts';

/** What is secret by its name, unless it only names a file or a time. */
const NAME =
  /(PASSWORD|SECRET|TOKEN|ACCESS_KEY|SEALING_KEY|CREDENTIALS)(_PREVIOUS)?$|^(DATABASE|MONGO|REDIS|SMTP)_URL$/;
/** A user with a password in an address, or a private key. */
const VALUE = /:\/\/[^\s/:@]*:[^\s/@]+@|-----BEGIN [A-Z ]*PRIVATE KEY-----/;
/** Filled in by Kubernetes or by a shell from what a Secret gave. */
const REFERENCE = /\$\([A-Z_]+\)|\$\{?[A-Z_]+\}?/g;

const isSecret = (name: string, value: string): boolean =>
  (NAME.test(name) && value !== '') || VALUE.test(value.replace(REFERENCE, ''));

/** Secrets that stand in the manifests, where everybody who may read the repository reads them. */
export function secretsInText(objects: readonly KubeObject[]): string[] {
  const whole = objects
    .filter(({ kind }) => kind === 'Secret')
    .map(({ metadata }) => `the Secret ${metadata.name} is written out`);
  const settings = ofKind(objects, 'ConfigMap').flatMap(({ metadata, data }) =>
    Object.entries(data)
      .filter(([name, value]) => isSecret(name, value))
      .map(([name]) => `the ConfigMap ${metadata.name} holds ${name}`),
  );
  const containers = workloadsOf(objects).flatMap((workload) =>
    containersOf(workload).flatMap(({ name, env, command, args }) => [
      ...env
        .filter(({ name: key, value = '' }) => isSecret(key, value))
        .map((one) => `${workload.name}/${name} is told ${one.name}`),
      ...[...command, ...args]
        .filter((word) => isSecret('', word))
        .map(() => `${workload.name}/${name} has a secret in its command`),
    ]),
  );
  return [...whole, ...settings, ...containers];
}
