import { existsSync, readFileSync } from 'node:fs';
import { services, sideProcesses } from '@atrium/dev-server/system/services';
import { passwordIn, unusedBecauseOf, withPassword } from './addresses.ts';
import { changeEnvText, readEnvText } from './env-file.ts';
import { isInUse, makePassword, NEXT, PREVIOUS, secondOf, secretValues, type Values } from './values.ts';
import { namespaceIn, valuesFile, writeChanged, writePrivate } from './write-secrets.ts';

const PROCESSES = [
  ...services.map(({ name }) => ({ name, secret: name })),
  ...sideProcesses.map(({ name, service }) => ({ name, secret: service })),
  { name: 'gateway', secret: 'gateway' },
];

/**
 * Prints the changed Secrets and the Deployments to restart. Repeating a step completes it after an
 * interruption. Throws if the folder has no values, and the errors of `rotate`.
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

/** `begin` adds the next value, `use` switches to it, `end` removes the previous one; `at-once` replaces the value in one step. */
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

const pairOf = (name: string): { accessKey: string; secretKey: string } | undefined => {
  const prefix = OBJECT_KEY.exec(name)?.[1];
  return prefix === undefined ? undefined : { accessKey: `${prefix}_ACCESS_KEY`, secretKey: `${prefix}_SECRET_KEY` };
};

/** The values that contain the same password, such as that of an address and that of its server; `suffix` selects next or previous ones. */
const linkedValues = (values: Values, name: string, suffix = ''): string[] => {
  const pair = pairOf(name);
  if (pair) return Object.values(pair);
  const password = passwordIn(values[`${name}${suffix}`] ?? '');
  return Object.keys(values).flatMap((key) => {
    const base = key.slice(0, key.length - suffix.length);
    const isOne = base in secretValues || ADDRESS.test(base);
    return isOne && key === `${base}${suffix}` && passwordIn(values[key] ?? '') === password ? [base] : [];
  });
};

const freshFor = (values: Values, name: string): Record<string, string> => {
  const make = (valueName: string): string => (secretValues[valueName] ?? makePassword)();
  const pair = pairOf(name);
  if (pair) return Object.fromEntries(Object.values(pair).map((valueName) => [valueName, make(valueName)]));
  const password = make(name);
  return Object.fromEntries(
    linkedValues(values, name).map((valueName) => [valueName, withPassword(values[valueName] ?? '', password)]),
  );
};

/** Records keys that are no longer valid, so that their users are removed from the object store. */
const closing = (values: Values, name: string, keysOf: (accessKey: string) => (string | undefined)[]): Changes => {
  const pair = pairOf(name);
  if (!pair) return {};
  const closed = `${pair.accessKey}_CLOSED`;
  const all = [values[closed], ...keysOf(pair.accessKey)].filter((key) => key !== undefined);
  return { [closed]: all.join(' ') };
};

const suffixed = (changes: Readonly<Record<string, string>>, suffix: string): Changes =>
  Object.fromEntries(Object.entries(changes).map(([name, value]) => [`${name}${suffix}`, value]));

/**
 * A completed step changes nothing, so each can be repeated. Throws if the value does not exist or is not used,
 * and if another step must come first.
 */
export const rotate = (values: Values, name: string, step: Step): Changes => {
  const error = findRotationError(values, name, step);
  if (error !== undefined) throw new Error(error);
  const hasNext = values[`${name}${NEXT}`] !== undefined;
  const drop = (names: readonly string[], suffix: string): Changes =>
    Object.fromEntries(names.map((valueName) => [`${valueName}${suffix}`, undefined]));
  switch (step) {
    case 'begin':
      return hasNext ? {} : suffixed(freshFor(values, name), NEXT);
    case 'use': {
      const used = hasNext ? linkedValues(values, name, NEXT) : [];
      const taken = Object.fromEntries(used.map((valueName) => [valueName, values[`${valueName}${NEXT}`]]));
      const kept = Object.fromEntries(used.map((valueName) => [`${valueName}${PREVIOUS}`, values[valueName]]));
      return { ...taken, ...drop(used, NEXT), ...kept };
    }
    case 'end':
      if (!isInUse(values, name)) return {};
      return {
        ...drop(linkedValues(values, name, PREVIOUS), PREVIOUS),
        ...closing(values, name, (accessKey) => [values[`${accessKey}${PREVIOUS}`]]),
      };
    case 'at-once': {
      const fresh = freshFor(values, name);
      const names = Object.keys(fresh);
      const closed = closing(values, name, (accessKey) => [values[accessKey], secondOf(values, accessKey)]);
      return { ...fresh, ...drop(names, NEXT), ...drop(names, PREVIOUS), ...closed };
    }
  }
};

/** Undefined if the value can be rotated this way. */
const findRotationError = (values: Values, name: string, step: Step): string | undefined => {
  const value = values[name];
  if (!(name in secretValues) && !ADDRESS.test(name)) return `Unknown value "${name}".`;
  if (value === undefined) return `${name} is not set in the values.`;
  if (ADDRESS.test(name) && passwordIn(value) === value) return `${name} has no password.`;
  const elsewhere = unusedBecauseOf(values, name);
  if (elsewhere !== undefined) return `${name} is unused: ${elsewhere} points to another server. Rotate that instead.`;
  if (AT_ONCE_ONLY.includes(name) && step !== 'at-once') return `${name} never needs two valid values. Use at-once.`;
  const hasNext = values[`${name}${NEXT}`] !== undefined;
  if (step === 'begin' && isInUse(values, name)) return `A rotation of ${name} is in progress. Run end first.`;
  if (step === 'use' && !hasNext && !isInUse(values, name)) return `${name} has no next value. Run begin first.`;
  if (step === 'end' && hasNext) return `The next value of ${name} is not in use. Run use first.`;
  return undefined;
};
