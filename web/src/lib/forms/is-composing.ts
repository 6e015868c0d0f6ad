import type { KeyboardEvent } from 'react';

/** Safari ends a composition before the key event that ended it, and marks that event with this key code. */
const COMPOSED = 229;

/** Whether a key press belongs to an IME composition, as in Japanese or Chinese, where Enter selects a candidate. */
export function isComposing({ nativeEvent }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || nativeEvent.keyCode === COMPOSED;
}
