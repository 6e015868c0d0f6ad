import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { hasModifier } from '#lib/has-modifier.ts';

type Options = {
  dayWidth: number;
  /** The first day of the bar. */
  first: string;
  onOpen: () => void;
  /** Resolves once the dates are saved, or could not be. */
  onMove: ((days: number) => Promise<void>) | undefined;
};

/**
 * Moves an item by dragging its bar with a mouse or a pen, or with the arrow keys and Enter; a finger scrolls. The new
 * dates are a preview until they are saved.
 */
export function useBarMove({ dayWidth, first, onOpen, onMove }: Options) {
  const [preview, setPreview] = useState({ first, days: 0 });
  const [isSaving, setSaving] = useState(false);
  const dragStart = useRef<number | null>(null);
  const hasDragged = useRef(false);
  const days = preview.first === first ? preview.days : 0;
  const setDays = (next: number) => setPreview({ first, days: next });
  const cancel = () => {
    dragStart.current = null;
    if (!isSaving) setDays(0);
  };
  const save = async () => {
    dragStart.current = null;
    if (days === 0 || isSaving) return;
    setSaving(true);
    await onMove?.(days);
    setSaving(false);
    setDays(0);
  };
  const directionOf = (element: Element) => (getComputedStyle(element).direction === 'rtl' ? -1 : 1);

  return {
    days,
    isSaving,
    barProps: {
      onPointerDown(event: PointerEvent) {
        hasDragged.current = false;
        if (!onMove || isSaving || event.button !== 0 || event.pointerType === 'touch') return;
        dragStart.current = event.clientX;
        event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove({ clientX, currentTarget }: PointerEvent) {
        if (dragStart.current === null) return;
        const moved = Math.round(((clientX - dragStart.current) / dayWidth) * directionOf(currentTarget));
        if (moved !== 0) hasDragged.current = true;
        setDays(moved);
      },
      onPointerUp: () => void save(),
      onPointerCancel: cancel,
      onBlur: cancel,
      // Also follows a drag, which must not open the item.
      onClick() {
        if (!hasDragged.current) onOpen();
      },
      onKeyDown(event: KeyboardEvent) {
        if (hasModifier(event)) return;
        hasDragged.current = false;
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (step !== undefined && onMove && !isSaving) setDays(days + step * directionOf(event.currentTarget));
        else if (event.key === 'Escape' && days !== 0) cancel();
        else if (event.key === 'Enter' && days !== 0) void save();
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}
