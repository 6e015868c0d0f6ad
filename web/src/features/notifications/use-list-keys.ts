import { type RefObject, useEffect } from 'react';
import { hasModifier } from '#lib/has-modifier.ts';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { areSingleKeysOn, keyLetter } from '#lib/single-key-shortcuts.ts';

type Options = {
  /** Called with the id of the notification that has focus, when the user presses E. */
  onToggle: (id: string) => void;
  /** Whether the keys are ignored now. */
  isIgnored: () => boolean;
};

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 };

/** Moves focus between the links of a list with J and K; Enter follows a link as everywhere. */
export function useListKeys(list: RefObject<HTMLElement | null>, { onToggle, isIgnored }: Options): void {
  const onKeyDown = useStableCallback((event: KeyboardEvent) => {
    if (event.defaultPrevented || hasModifier(event) || !areSingleKeysOn()) return;
    if (isTyping(event.target) || isIgnored()) return;
    const letter = keyLetter(event) ?? '';
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-notification]') ?? [])];
    const index = rows.findIndex((row) => row.contains(document.activeElement));
    const step = STEPS[letter];
    if (step !== undefined) {
      event.preventDefault();
      focusLink(rows[index < 0 ? 0 : Math.min(Math.max(index + step, 0), rows.length - 1)]);
    }
    const id = rows[index]?.dataset.notification;
    if (letter === 'e' && id !== undefined) {
      event.preventDefault();
      onToggle(id);
    }
  });
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onKeyDown]);
}

const focusLink = (row: HTMLElement | undefined) => row?.querySelector<HTMLElement>('a[href]')?.focus();

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=radio]), textarea, select'));
