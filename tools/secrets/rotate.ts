import { passwordIn, unusedBecauseOf, withPassword } from './addresses.ts';
import { isInUse, NEXT, PREVIOUS, secondOf } from './rotation-values.ts';
import { makePassword, secretValues, type Values } from './values.ts';

/** `begin` puts the next value beside the present one, `use` takes it in its place, `end` forgets the one of before; or all `at-once`. */
export const STEPS = ['begin', 'use', 'end', 'at-once'] as const;
export type Step = (typeof STEPS)[number];

/** New values by their names; undefined for one that goes. */
export type Changes = Readonly<Record<string, string | undefined>>;

/** Read by no process that serves people, so that there is nobody for whom two would have to be good. */
const AT_ONCE = [
  'SETUP_TOKEN',
  'POSTGRES_PASSWORD',
  'MONGO_PASSWORD',
  'NATS_OPERATOR_PASSWORD',
  'MINIO_ROOT_USER',
  'MINIO_ROOT_PASSWORD',
  'MAILBOX_TOKEN',
];
const ADDRESS = /^[A-Z]+_DATABASE_(DIRECT_)?URL$|^(REDIS|MONGO)_URL$/;
/** Each user of the object store has a pair of keys, which change together. */
const OBJECT_KEY = /^(S3_[A-Z]+)_(ACCESS|SECRET)_KEY$/;

const pairOf = (name: string): { accessKey: string; secretKey: string } | undefined => {
  const prefix = OBJECT_KEY.exec(name)?.[1];
  return prefix === undefined ? undefined : { accessKey: `${prefix}_ACCESS_KEY`, secretKey: `${prefix}_SECRET_KEY` };
};

/** The values that hold the same password, as that of an address and of the server that it leads to; those with it in their `suffix`. */
const together = (values: Values, name: string, suffix = ''): string[] => {
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
  return Object.fromEntries(together(values, name).map((one) => [one, withPassword(values[one] ?? '', password)]));
};

/** Keys of the object store that are no longer valid, by which its users are removed: it keeps every user that is not named. */
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
 * What one step of changing a value does to the values. A step that has been done changes nothing, so each may be repeated. Throws a
 * sentence where there is no such value, where another step comes first, and where nobody uses the value.
 */
export const rotate = (values: Values, name: string, step: Step): Changes => {
  const fault = faultOf(values, name, step);
  if (fault !== undefined) throw new Error(fault);
  const hasNext = values[`${name}${NEXT}`] !== undefined;
  const drop = (names: readonly string[], suffix: string): Changes =>
    Object.fromEntries(names.map((one) => [`${one}${suffix}`, undefined]));
  switch (step) {
    case 'begin':
      return hasNext ? {} : suffixed(freshFor(values, name), NEXT);
    case 'use': {
      const used = hasNext ? together(values, name, NEXT) : [];
      const taken = Object.fromEntries(used.map((one) => [one, values[`${one}${NEXT}`]]));
      const kept = Object.fromEntries(used.map((one) => [`${one}${PREVIOUS}`, values[one]]));
      return { ...taken, ...drop(used, NEXT), ...kept };
    }
    case 'end':
      if (!isInUse(values, name)) return {};
      return {
        ...drop(together(values, name, PREVIOUS), PREVIOUS),
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

/** Why a value cannot be changed so, as a sentence. */
const faultOf = (values: Values, name: string, step: Step): string | undefined => {
  const value = values[name];
  if (!(name in secretValues) && !ADDRESS.test(name)) return `There is no value "${name}" that could be made here.`;
  if (value === undefined) return `${name} is not among the values.`;
  if (ADDRESS.test(name) && passwordIn(value) === value) return `${name} has no password to be changed.`;
  const elsewhere = unusedBecauseOf(values, name);
  if (elsewhere !== undefined) return `Nobody signs in with ${name}: ${elsewhere} leads elsewhere. Change that.`;
  if (AT_ONCE.includes(name) && step !== 'at-once')
    return `${name} is read by nobody who needs two of it: change it at-once.`;
  const hasNext = values[`${name}${NEXT}`] !== undefined;
  if (step === 'begin' && isInUse(values, name)) return `${name} is being changed: its end comes first.`;
  if (step === 'use' && !hasNext && !isInUse(values, name)) return `${name} has no next value: begin comes first.`;
  if (step === 'end' && hasNext) return `The next value of ${name} is not used: use comes first.`;
  return undefined;
};
