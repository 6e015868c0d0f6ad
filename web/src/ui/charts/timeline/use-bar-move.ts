import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { hasModifier } from '#lib/has-modifier.ts';

type Options = { dayWidth: number; onOpen: () => void; onMove: ((days: number) => void) | undefined };

/** Moves an item by dragging its bar, or with the arrow keys and Enter. Until then, the new dates are a preview. */
export function useBarMove({ dayWidth, onOpen, onMove }: Options) {
  const [days, setDays] = useState(0);
  const dragStart = useRef<number | null>(null);
  const hasDragged = useRef(false);
  const end = (isSaved: boolean) => {
    dragStart.current = null;
    setDays(0);
    if (isSaved && days !== 0) onMove?.(days);
  };
  const directionOf = (element: Element) => (getComputedStyle(element).direction === 'rtl' ? -1 : 1);

  return {
    days,
    barProps: {
      onPointerDown(event: PointerEvent) {
        hasDragged.current = false;
        if (!onMove || event.button !== 0) return;
        dragStart.current = event.clientX;
        event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove({ clientX, currentTarget }: PointerEvent) {
        if (dragStart.current === null) return;
        const moved = Math.round(((clientX - dragStart.current) / dayWidth) * directionOf(currentTarget));
        if (moved !== 0) hasDragged.current = true;
        setDays(moved);
      },
      onPointerUp: () => end(true),
      onPointerCancel: () => end(false),
      onBlur: () => end(false),
      // Also follows a drag, which must not open the item.
      onClick() {
        if (!hasDragged.current) onOpen();
      },
      onKeyDown(event: KeyboardEvent) {
        if (hasModifier(event)) return;
        hasDragged.current = false;
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (step !== undefined && onMove) setDays(days + step * directionOf(event.currentTarget));
        else if (event.key === 'Escape' && days !== 0) setDays(0);
        else if (event.key === 'Enter' && days !== 0) end(true);
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}
