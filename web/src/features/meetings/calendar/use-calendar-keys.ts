import { useEffect } from 'react';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { areSingleKeysOn, keyLetter } from '#lib/single-key-shortcuts.ts';
import { isCovered } from '#ui/overlays/is-covered.ts';
import type { View } from '../layout/shown-range.ts';

type CalendarKeysParams = {
  onView: (view: View) => void;
  onToday: () => void;
  onNavigate: (by: 1 | -1) => void;
  onNew: (() => void) | undefined;
  /** Undoes the last move; returns false if there is none. */
  onUndo: () => boolean;
  isOff: boolean;
};

const VIEW_KEYS: Readonly<Record<string, View>> = { m: 'month', w: 'week', d: 'day', a: 'agenda' };

export function useCalendarKeys({ onView, onToday, onNavigate, onNew, onUndo, isOff }: CalendarKeysParams): void {
  const press = useStableCallback((event: KeyboardEvent) => {
    const { target } = event;
    if (isOff || event.defaultPrevented || event.altKey || event.shiftKey) return;
    if (isTyping(target) || isCovered() || document.querySelector('[role="listbox"]')) return;
    const letter = keyLetter(event) ?? '';
    if (event.ctrlKey || event.metaKey) {
      if (letter === 'z' && onUndo()) event.preventDefault();
      return;
    }
    if (!areSingleKeysOn()) return;
    const view = VIEW_KEYS[letter];
    if (view) onView(view);
    else if (letter === 't') onToday();
    else if (letter === 'j' || letter === 'k') onNavigate(letter === 'j' ? 1 : -1);
    else if (letter === 'n' && onNew) onNew();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [press]);
}

/** Whether the focused element uses letter keys, as text fields and selects do, but radio buttons do not. */
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=radio]), textarea, select'));
