import type { Task } from '@atrium/proto-events/http/tasks';
import { type RefObject, useEffect } from 'react';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { areSingleKeysOn, keyLetter } from '#lib/single-key-shortcuts.ts';
import { isCovered } from '#ui/overlays/is-covered.ts';

type WorkKeysParams = {
  list: RefObject<HTMLElement | null>;
  findTask: (id: string) => Task | undefined;
  onComplete: (task: Task) => void;
  onTomorrow: (task: Task) => void;
  onNextWeek: (task: Task) => void;
  onChooseDate: (task: Task) => void;
  onQuickAdd: () => void;
  /** Undoes the last change; returns false if there is none. */
  onUndo: () => boolean;
};

const ROWS = '[role="row"][data-key]';

/** The keys of the screen. Those of a task apply to the row that has the focus. */
export function useWorkKeys({ list, findTask, onQuickAdd, onUndo, ...keys }: WorkKeysParams): void {
  const ofTask: Readonly<Record<string, (task: Task) => void>> = {
    e: keys.onComplete,
    t: keys.onTomorrow,
    w: keys.onNextWeek,
    d: keys.onChooseDate,
  };
  const press = useStableCallback((event: KeyboardEvent) => {
    const { target } = event;
    if (event.defaultPrevented || event.altKey || event.shiftKey || isElsewhere(target)) return;
    const letter = keyLetter(event) ?? '';
    if (event.ctrlKey || event.metaKey) {
      if (letter === 'z' && onUndo()) event.preventDefault();
      return;
    }
    if (!areSingleKeysOn()) return;
    const row = target instanceof Element ? target.closest<HTMLElement>(ROWS) : null;
    const task = row ? findTask(row.dataset.key ?? '') : undefined;
    if (letter === 'n') onQuickAdd();
    else if (letter === 'j' || letter === 'k') focusRow(list.current, row, letter === 'j' ? 1 : -1);
    else if (task && ofTask[letter]) ofTask[letter](task);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [press]);
}

function focusRow(list: HTMLElement | null, from: HTMLElement | null, by: 1 | -1): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>(ROWS) ?? [])];
  rows[from ? rows.indexOf(from) + by : 0]?.focus();
}

/** Whether the focus is in an overlay, or in a field that uses letters. */
const isElsewhere = (target: EventTarget | null) =>
  isCovered() ||
  document.querySelector('[role="menu"]') !== null ||
  (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select')));
