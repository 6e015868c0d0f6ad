import type { Values } from './values.ts';

/** While a value is changed another one stands beside it: `…_NEXT` until that is used, and `…_PREVIOUS` from then on. */
export const NEXT = '_NEXT';
export const PREVIOUS = '_PREVIOUS';

/** What is good beside a value, if it is being changed. */
export const secondOf = (values: Values, name: string): string | undefined =>
  values[`${name}${NEXT}`] ?? values[`${name}${PREVIOUS}`];

/** Whether a changed value is used already while the one of before is still good. */
export const isInUse = (values: Values, name: string): boolean => values[`${name}${PREVIOUS}`] !== undefined;
