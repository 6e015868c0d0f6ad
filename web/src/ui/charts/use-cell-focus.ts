import { type KeyboardEvent, useRef, useState } from 'react';
import { hasModifier } from '#lib/has-modifier.ts';

const STEPS: Readonly<Record<string, readonly [row: number, column: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** One tab stop for a grid: the arrow keys move to the next cell in their direction that can have the focus. */
export function useCellFocus(focusable: readonly (readonly boolean[])[]) {
  const [focused, setFocused] = useState<readonly [number, number]>([0, 0]);
  const cells = useRef(new Map<string, HTMLElement>());
  const canFocus = (row: number, column: number) => focusable[row]?.[column] === true;
  const current = canFocus(...focused) ? focused : findFirst(focusable);

  const onKeyDown = (event: KeyboardEvent) => {
    if (hasModifier(event)) return;
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const direction = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
    const [byRow, byColumn] = [step[0], step[1] * direction];
    let [row, column] = [current[0] + byRow, current[1] + byColumn];
    while (focusable[row]?.[column] === false) [row, column] = [row + byRow, column + byColumn];
    if (canFocus(row, column)) cells.current.get(`${row}:${column}`)?.focus();
  };
  const cellProps = (row: number, column: number) => ({
    ref: (element: HTMLElement | null) => {
      if (element) cells.current.set(`${row}:${column}`, element);
      else cells.current.delete(`${row}:${column}`);
    },
    tabIndex: row === current[0] && column === current[1] ? 0 : -1,
    onFocus: () => setFocused([row, column]),
  });
  return { gridProps: { onKeyDown }, cellProps };
}

function findFirst(focusable: readonly (readonly boolean[])[]): readonly [number, number] {
  const row = focusable.findIndex((cells) => cells.includes(true));
  return [Math.max(0, row), Math.max(0, focusable[row]?.indexOf(true) ?? 0)];
}
