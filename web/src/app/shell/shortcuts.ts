import { hasModifier } from '#lib/has-modifier.ts';
import { areSingleKeysOn, isQuestionMark, keyLetter } from '#lib/single-key-shortcuts.ts';
import { isCovered } from '#ui/overlays/is-covered.ts';

export type Shortcut = 'search' | 'overview';

export function findShortcut(event: KeyboardEvent): Shortcut | null {
  if (event.defaultPrevented || isCovered()) return null;
  if (keyLetter(event) === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) return 'search';
  if (!areSingleKeysOn()) return null;
  if (isQuestionMark(event) && !hasModifier(event) && !isTyping(event.target)) return 'overview';
  return null;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}
