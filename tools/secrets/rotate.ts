import { existsSync, readFileSync } from 'node:fs';
import { roleProcesses, services } from '@atrium/dev-server/system/services';
import { findOverridingAddress, passwordIn, withPassword } from './addresses.ts';
import { changeEnvText, readEnvText } from './env-file.ts';
import { getSecondValue, hasSwitched, makePassword, NEXT, PREVIOUS, secretValues, type Values } from './values.ts';
import { namespaceIn, valuesFile, writeChanged, writePrivate } from './write-secrets.ts';

const PROCESSES = [
  ...services.map(({ name }) => ({ name, secret: name })),
  ...roleProcesses.map(({ name, service }) => ({ name, secret: service })),
  { name: 'gateway', secret: 'gateway' },
];

/**
 * Changes the values, and prints the changed Secrets and the Deployments to restart. Repeating a step completes it
 * after an interruption. Throws if the folder has no values, and the errors of `rotate`.
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
    const rollout = (command: string) => `kubectl -n ${namespace} rollout ${command} deployment/${process}`;
    print(`${rollout('restart')} && ${rollout('status')}`);
  }
  print('For the commands of the store, and when to continue: docs/self-hosting/secrets.md');
};

/** The steps that add the next value, switch to it, and remove the previous one, or replace the value at once. */
export const STEPS = ['begin', 'use', 'end', 'at-once'] as const;
export type Step = (typeof STEPS)[number];

type Changes = Readonly<Record<string, string | undefined>>;

/** Values that no serving process reads, so two valid ones are never needed. */
const AT_ONCE_ONLY = [
  'SETUP_TOKEN',
  'POSTGRES_PASSWORD',
  'MONGO_PASSWORD',
  'NATS_OPERATOR_PASSWORD',
  'MINIO_ROOT_USER',
  'MINIO_ROOT_PASSWORD',
  'MAILBOX_TOKEN',
];
const ADDRESS = /^[A-Z]+_DATABASE_(DIRECT_)?URL$|^(REDIS|MONGO)_URL$/;
/** Each object store user has a pair of keys, which change together. */
const OBJECT_KEY = /^(S3_[A-Z]+)_(ACCESS|SECRET)_KEY$/;

const getKeyPair = (name: string): { accessKey: string; secretKey: string } | undefined => {
  const prefix = OBJECT_KEY.exec(name)?.[1];
  return prefix === undefined ? undefined : { accessKey: `${prefix}_ACCESS_KEY`, secretKey: `${prefix}_SECRET_KEY` };
};

/** Lists values that contain the same password, such as an address and its server's. `suffix` is NEXT or PREVIOUS. */
const listLinkedValues = (values: Values, name: string, suffix = ''): string[] => {
  const pair = getKeyPair(name);
  if (pair) return Object.values(pair);
  const password = passwordIn(values[`${name}${suffix}`] ?? '');
  return Object.keys(values).flatMap((key) => {
    const base = key.slice(0, key.length - suffix.length);
    const isPassword = base in secretValues || ADDRESS.test(base);
    return isPassword && key === `${base}${suffix}` && passwordIn(values[key] ?? '') === password ? [base] : [];
  });
};

const generateValues = (values: Values, name: string): Record<string, string> => {
  const make = (valueName: string): string => (secretValues[valueName] ?? makePassword)();
  const pair = getKeyPair(name);
  if (pair) return Object.fromEntries(Object.values(pair).map((valueName) => [valueName, make(valueName)]));
  const password = make(name);
  return Object.fromEntries(
    listLinkedValues(values, name).map((valueName) => [valueName, withPassword(values[valueName] ?? '', password)]),
  );
};

/** Records keys that are no longer valid, so that their users are removed from the object store. */
const closeKeys = (
  values: Values,
  name: string,
  getClosedKeys: (accessKey: string) => (string | undefined)[],
): Changes => {
  const pair = getKeyPair(name);
  if (!pair) return {};
  const closed = `${pair.accessKey}_CLOSED`;
  const closedKeys = [values[closed], ...getClosedKeys(pair.accessKey)].filter((key) => key !== undefined);
  return { [closed]: closedKeys.join(' ') };
};

const addSuffix = (changes: Readonly<Record<string, string>>, suffix: string): Changes =>
  Object.fromEntries(Object.entries(changes).map(([name, value]) => [`${name}${suffix}`, value]));

/**
 * Returns the changes of a step. Each can be repeated, because a completed step changes nothing. Throws if the value
 * does not exist or is not used, and if a different step must come first.
 */
export const rotate = (values: Values, name: string, step: Step): Changes => {
  const error = findRotationError(values, name, step);
  if (error !== undefined) throw new Error(error);
  const hasNext = values[`${name}${NEXT}`] !== undefined;
  const removeValues = (names: readonly string[], suffix: string): Changes =>
    Object.fromEntries(names.map((valueName) => [`${valueName}${suffix}`, undefined]));
  switch (step) {
    case 'begin':
      return hasNext ? {} : addSuffix(generateValues(values, name), NEXT);
    case 'use': {
      const names = hasNext ? listLinkedValues(values, name, NEXT) : [];
      const currentValues = Object.fromEntries(names.map((valueName) => [valueName, values[`${valueName}${NEXT}`]]));
      const previousValues = Object.fromEntries(
        names.map((valueName) => [`${valueName}${PREVIOUS}`, values[valueName]]),
      );
      return { ...currentValues, ...removeValues(names, NEXT), ...previousValues };
    }
    case 'end':
      if (!hasSwitched(values, name)) return {};
      return {
        ...removeValues(listLinkedValues(values, name, PREVIOUS), PREVIOUS),
        ...closeKeys(values, name, (accessKey) => [values[`${accessKey}${PREVIOUS}`]]),
      };
    case 'at-once': {
      const newValues = generateValues(values, name);
      const names = Object.keys(newValues);
      const closed = closeKeys(values, name, (accessKey) => [values[accessKey], getSecondValue(values, accessKey)]);
      return { ...newValues, ...removeValues(names, NEXT), ...removeValues(names, PREVIOUS), ...closed };
    }
  }
};

/** Returns undefined if the value can be rotated this way. */
const findRotationError = (values: Values, name: string, step: Step): string | undefined => {
  const value = values[name];
  if (!(name in secretValues) && !ADDRESS.test(name)) return `Unknown value "${name}".`;
  if (value === undefined) return `${name} is not set in the values.`;
  if (ADDRESS.test(name) && passwordIn(value) === value) return `${name} has no password.`;
  const address = findOverridingAddress(values, name);
  if (address !== undefined) return `${name} is unused: ${address} points to another server. Rotate that instead.`;
  if (AT_ONCE_ONLY.includes(name) && step !== 'at-once') return `${name} never needs two valid values. Use at-once.`;
  const hasNext = values[`${name}${NEXT}`] !== undefined;
  if (step === 'begin' && hasSwitched(values, name)) return `A rotation of ${name} is in progress. Run end first.`;
  if (step === 'use' && !hasNext && !hasSwitched(values, name)) return `${name} has no next value. Run begin first.`;
  if (step === 'end' && hasNext) return `The next value of ${name} is not in use. Run use first.`;
  return undefined;
};
