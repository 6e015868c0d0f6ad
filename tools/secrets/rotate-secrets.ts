import { existsSync, readFileSync } from 'node:fs';
import { services, sideProcesses } from '@atrium/dev-server/system/services';
import { changeEnvText, readEnvText } from './env-file.ts';
import { rotate, type Step } from './rotate.ts';
import { namespaceIn, valuesFile, writeChanged, writePrivate } from './secrets-folder.ts';

/** The Deployments, and whose Secret each reads. */
const PROCESSES = [
  ...services.map(({ name }) => ({ name, secret: name })),
  ...sideProcesses.map(({ name, service }) => ({ name, secret: service })),
  { name: 'gateway', secret: 'gateway' },
];

/**
 * Does one step of changing a value in the folder that keeps it, and says which Secrets are others now and who reads them. A step that
 * was broken off is finished by doing it again. Throws a sentence where there is no such folder, and those of `rotate`.
 */
export const rotateSecrets = (folder: string, name: string, step: Step, print: (line: string) => void): void => {
  const file = valuesFile(folder);
  const namespace = namespaceIn(folder);
  if (!existsSync(file) || namespace === undefined)
    throw new Error(`${folder} holds no values: npm run secrets -- kubernetes --out ${folder} makes them.`);
  const before = readFileSync(file, 'utf8');
  const changes = rotate(readEnvText(before), name, step);
  const after = changeEnvText(before, changes);
  const isDone = Object.keys(changes).length === 0;
  if (!isDone) writePrivate(file, after);
  print(
    isDone
      ? `${file}: that has been done; nothing was changed.`
      : `${file}: changed ${Object.keys(changes).join(', ')}.`,
  );
  const changed = writeChanged(folder, namespace, readEnvText(after));
  print(changed.length === 0 ? 'No Secret has changed.' : `Written: ${changed.join(', ')}.`);
  print(`kubectl apply --server-side -f ${folder}`);
  for (const { name: process } of PROCESSES.filter(({ secret }) => changed.includes(`atrium-${secret}`))) {
    const roll = (what: string) => `kubectl -n ${namespace} rollout ${what} deployment/${process}`;
    print(`${roll('restart')} && ${roll('status')}`);
  }
  print('What the store is told, and when the next step may come: docs/self-hosting/secrets.md');
};
