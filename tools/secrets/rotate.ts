import { passwordIn, unusedBecauseOf, withPassword } from './addresses.ts';
import { isInUse, NEXT, PREVIOUS, secondOf } from './rotation-values.ts';
import { makePassword, secretValues, type Values } from './values.ts';

/** `begin` adds the next value, `use` switches to it, `end` removes the previous one; `at-once` replaces the value in one step. */
export const STEPS = ['begin', 'use', 'end', 'at-once'] as const;
export type Step = (typeof STEPS)[number];

/** New values by name; undefined removes a value. */
export type Changes = Readonly<Record<string, string | undefined>>;

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
  const make = (one: string): string => (secretValues[one] ?? makePassword)();
  const pair = pairOf(name);
  if (pair) return Object.fromEntries(Object.values(pair).map((one) => [one, make(one)]));
  const password = make(name);
  return Object.fromEntries(linkedValues(values, name).map((one) => [one, withPassword(values[one] ?? '', password)]));
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
 * The changes of one rotation step. A completed step changes nothing, so each can be repeated. Throws if the value does not exist or is not
 * used, and if another step must come first.
 */
export const rotate = (values: Values, name: string, step: Step): Changes => {
  const error = findRotationError(values, name, step);
  if (error !== undefined) throw new Error(error);
  const hasNext = values[`${name}${NEXT}`] !== undefined;
  const drop = (names: readonly string[], suffix: string): Changes =>
    Object.fromEntries(names.map((one) => [`${one}${suffix}`, undefined]));
  switch (step) {
    case 'begin':
      return hasNext ? {} : suffixed(freshFor(values, name), NEXT);
    case 'use': {
      const used = hasNext ? linkedValues(values, name, NEXT) : [];
      const taken = Object.fromEntries(used.map((one) => [one, values[`${one}${NEXT}`]]));
      const kept = Object.fromEntries(used.map((one) => [`${one}${PREVIOUS}`, values[one]]));
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

/** Why a value cannot be rotated this way; undefined if it can. */
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
