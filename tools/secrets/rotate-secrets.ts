import { existsSync, readFileSync } from 'node:fs';
import { services, sideProcesses } from '@atrium/dev-server/system/services';
import { changeEnvText, readEnvText } from './env-file.ts';
import { rotate, type Step } from './rotate.ts';
import { namespaceIn, valuesFile, writeChanged, writePrivate } from './secrets-folder.ts';

/** Deployments, and the Secret that each one reads. */
const PROCESSES = [
  ...services.map(({ name }) => ({ name, secret: name })),
  ...sideProcesses.map(({ name, service }) => ({ name, secret: service })),
  { name: 'gateway', secret: 'gateway' },
];

/**
 * Performs one step of a rotation in the folder of values, and prints the changed Secrets and the Deployments to restart. Repeating a step
 * completes it after an interruption. Throws if the folder has no values, and the errors of `rotate`.
 */
export const rotateSecrets = (folder: string, name: string, step: Step, print: (line: string) => void): void => {
  const file = valuesFile(folder);
  const namespace = namespaceIn(folder);
  if (!existsSync(file) || namespace === undefined)
    throw new Error(`${folder} contains no values. Create them with npm run secrets -- kubernetes --out ${folder}.`);
  const before = readFileSync(file, 'utf8');
  const changes = rotate(readEnvText(before), name, step);
  const after = changeEnvText(before, changes);
  const isDone = Object.keys(changes).length === 0;
  if (!isDone) writePrivate(file, after);
  print(
    isDone
      ? `${file}: nothing to change, the step was already done.`
      : `${file}: changed ${Object.keys(changes).join(', ')}.`,
  );
  const changed = writeChanged(folder, namespace, readEnvText(after));
  print(changed.length === 0 ? 'No Secret has changed.' : `Written: ${changed.join(', ')}.`);
  print(`kubectl apply --server-side -f ${folder}`);
  for (const { name: process } of PROCESSES.filter(({ secret }) => changed.includes(`atrium-${secret}`))) {
    const roll = (what: string) => `kubectl -n ${namespace} rollout ${what} deployment/${process}`;
    print(`${roll('restart')} && ${roll('status')}`);
  }
  print('For the commands of the store, and when to continue: docs/self-hosting/secrets.md');
};
