import type { KeyboardEvent } from 'react';
import { hasModifier } from '#lib/has-modifier.ts';
import { areSingleKeysOn, keyLetter } from '#lib/single-key-shortcuts.ts';

/** What a key pressed in a message opens: `+` and R the emoji picker, and T the thread. */
export function openedBy({ currentTarget, target, nativeEvent }: KeyboardEvent<HTMLElement>) {
  const { key, defaultPrevented } = nativeEvent;
  if (defaultPrevented || hasModifier(nativeEvent) || !areSingleKeysOn()) return undefined;
  // React also reports keys in menus and dialogs of the message, which are elsewhere in the document.
  if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return undefined;
  if (target.matches('input, textarea')) return undefined;
  const letter = keyLetter(nativeEvent);
  if (key === '+' || letter === 'r') return 'picker';
  return letter === 't' ? 'thread' : undefined;
}
