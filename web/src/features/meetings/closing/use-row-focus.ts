import { type FocusEvent, useLayoutEffect, useRef } from 'react';

/**
 * Moves focus when a row or its focused button is removed: to the same row, the next one, the previous one, or the page.
 */
export function useRowFocus(ids: readonly string[]) {
  const list = useRef<HTMLUListElement>(null);
  const focusedRow = useRef<{ id: string; index: number }>(undefined);
  useLayoutEffect(() => {
    const { id, index } = focusedRow.current ?? {};
    if (id === undefined || index === undefined) return;
    const currentIndex = ids.indexOf(id);
    const at = currentIndex < 0 ? index : currentIndex;
    focusedRow.current = { id, index: at };
    // React fires no blur event when it removes the focused element, so check that focus has not moved elsewhere.
    if (document.activeElement !== document.body) return;
    const rows = [...(list.current?.children ?? [])];
    const [next] = [...rows.slice(at), ...rows.slice(0, at).reverse()];
    const target = next?.querySelector<HTMLElement>('button') ?? next?.querySelector<HTMLElement>('a');
    if (target) target.focus();
    else document.querySelector('main')?.focus({ preventScroll: true });
  });
  return {
    ref: list,
    onFocus({ target }: FocusEvent) {
      const index = [...(list.current?.children ?? [])].findIndex((row) => row.contains(target));
      const id = ids[index];
      focusedRow.current = id === undefined ? undefined : { id, index };
    },
    onBlur() {
      focusedRow.current = undefined;
    },
  };
}
