import type { Values } from './values.ts';

/** Suffixes of the second value during a rotation: `…_NEXT` before it is used, `…_PREVIOUS` afterwards. */
export const NEXT = '_NEXT';
export const PREVIOUS = '_PREVIOUS';

/** The second valid value during a rotation. */
export const secondOf = (values: Values, name: string): string | undefined =>
  values[`${name}${NEXT}`] ?? values[`${name}${PREVIOUS}`];

/** Returns whether a new value is in use while the previous one is still valid. */
export const isInUse = (values: Values, name: string): boolean => values[`${name}${PREVIOUS}`] !== undefined;
