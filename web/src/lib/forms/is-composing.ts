import type { KeyboardEvent } from 'react';

/** Safari ends a composition before the key that ended it, and marks that key so. */
const COMPOSED = 229;

/** Whether a key belongs to a character that is being composed, as in Japanese or Chinese: Enter then chooses, and sends nothing. */
export function isComposing({ nativeEvent }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || nativeEvent.keyCode === COMPOSED;
}
