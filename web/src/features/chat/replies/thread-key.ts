import type { KeyboardEvent } from 'react';
import { areSingleKeysOn, keyLetter } from '#lib/single-key-shortcuts.ts';

/** Whether a key pressed in a message opens its thread: T. */
export function isThreadKey({ currentTarget, target, nativeEvent }: KeyboardEvent<HTMLElement>): boolean {
  const { ctrlKey, metaKey, altKey, defaultPrevented } = nativeEvent;
  if (defaultPrevented || ctrlKey || metaKey || altKey || !areSingleKeysOn()) return false;
  // React also reports keys in menus and dialogs of the message, which are elsewhere in the document.
  if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return false;
  return !target.matches('input, textarea') && keyLetter(nativeEvent) === 't';
}
