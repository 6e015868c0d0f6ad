import { type PointerEvent as ReactPointerEvent, useEffect, useLayoutEffect, useRef } from 'react';
import type { CalendarEvent } from '../layout/calendar-event.ts';
import { getImmovableReason } from '../layout/event-labels.ts';
import { resizedTo, type Span, snapped } from '../layout/span.ts';
import type { Moving } from './use-moving.ts';

type PointerDragParams = {
  /** The instant at a point of the window; undefined outside the grid. */
  instantAt: (x: number, y: number) => number | undefined;
  /** Returns the target time of an event grabbed at one instant and dragged to another. */
  movedTo: (event: Span, grabbedAt: number, draggedTo: number) => Span;
  findEvent: (id: string) => CalendarEvent | undefined;
  moving: Moving;
  onSchedule?: ((span: Span) => void) | undefined;
};

/** Movement below this many pixels counts as a press. */
const MIN_DRAG_PX = 4;
/** A touch must rest this long to start a move instead of scrolling. */
const LONG_PRESS_MS = 350;
const HALF_HOUR_MS = 30 * 60_000;

type Grab = { event: CalendarEvent | null; isResizing: boolean; grabbed: number; x: number; y: number };

export function usePointerDrag(params: PointerDragParams) {
  const latest = useRef(params);
  useLayoutEffect(() => {
    latest.current = params;
  });
  const stop = useRef<() => void>(undefined);
  const wasDragged = useRef(false);
  useEffect(() => {
    return () => stop.current?.();
  }, []);

  const onPointerDown = (down: ReactPointerEvent) => {
    if (down.button !== 0 || !down.isPrimary || !(down.target instanceof Element)) return;
    const grab = findGrab(down, down.target, latest.current);
    wasDragged.current = false;
    if (grab) stop.current = trackPointer(grab, down.pointerType === 'touch', latest, wasDragged);
  };
  return {
    onPointerDown,
    /** Suppresses the click that follows a drag. */
    onClickCapture(event: { preventDefault: () => void; stopPropagation: () => void }) {
      if (!wasDragged.current) return;
      wasDragged.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

function findGrab(
  { clientX: x, clientY: y }: ReactPointerEvent,
  target: Element,
  params: PointerDragParams,
): Grab | undefined {
  const grabbed = params.instantAt(x, y);
  if (grabbed === undefined) return undefined;
  const block = target.closest<HTMLElement>('[data-event]');
  if (!block) {
    const isFree = params.onSchedule && target.closest('[data-free]') && !target.closest('button');
    return isFree ? { event: null, isResizing: false, grabbed, x, y } : undefined;
  }
  const event = params.findEvent(block.dataset.event ?? '');
  if (!event || getImmovableReason(event) !== undefined) return undefined;
  return { event, isResizing: target.closest('[data-resize]') !== null, grabbed, x, y };
}

type Latest = { current: PointerDragParams };

function trackPointer(grab: Grab, isTouch: boolean, latest: Latest, wasDragged: { current: boolean }): () => void {
  let isHeld = !isTouch;
  let isDragging = false;
  let span: Span | undefined;
  const longPressTimer = isTouch && grab.event ? setTimeout(() => begin(), LONG_PRESS_MS) : undefined;

  const begin = () => {
    isHeld = true;
    isDragging = true;
    show({ start: grab.event?.start ?? 0, end: grab.event?.end ?? 0 });
  };
  const show = (next: Span) => {
    if (span?.start === next.start && span.end === next.end) return;
    span = next;
    latest.current.moving.set({ event: grab.event, span, by: 'pointer' });
  };
  const onPointerMove = ({ clientX, clientY }: PointerEvent) => {
    const isFar = Math.hypot(clientX - grab.x, clientY - grab.y) > MIN_DRAG_PX;
    // A touch that moves early scrolls the page.
    if (!isHeld) return isFar ? end() : undefined;
    if (!isDragging && (!isFar || isTouch)) return;
    isDragging = true;
    const draggedTo = latest.current.instantAt(clientX, clientY);
    if (draggedTo !== undefined) show(toTargetSpan(grab, draggedTo, latest.current));
  };
  const onPointerUp = () => {
    const { moving, onSchedule } = latest.current;
    end();
    wasDragged.current = isDragging;
    if (grab.event) return isDragging && span ? moving.drop({ event: grab.event, span, by: 'pointer' }) : undefined;
    moving.set(null);
    onSchedule?.(span ?? hourAt(grab.grabbed));
  };
  const cancel = () => {
    end();
    if (isDragging && span) latest.current.moving.cancel({ event: grab.event, span, by: 'pointer' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isDragging) return;
    event.preventDefault();
    event.stopPropagation();
    wasDragged.current = true;
    cancel();
  };
  // Prevents the page from scrolling during a touch drag.
  const preventScroll = (event: TouchEvent) => isDragging && event.cancelable && event.preventDefault();
  const end = () => {
    clearTimeout(longPressTimer);
    window.removeEventListener('pointermove', onPointerMove);
    window.removeEventListener('pointerup', onPointerUp);
    window.removeEventListener('pointercancel', cancel);
    window.removeEventListener('keydown', onKeyDown, true);
    window.removeEventListener('touchmove', preventScroll);
  };
  window.addEventListener('pointermove', onPointerMove);
  window.addEventListener('pointerup', onPointerUp);
  window.addEventListener('pointercancel', cancel);
  window.addEventListener('keydown', onKeyDown, true);
  window.addEventListener('touchmove', preventScroll, { passive: false });
  return end;
}

function toTargetSpan({ event, isResizing, grabbed }: Grab, draggedTo: number, { movedTo }: PointerDragParams): Span {
  if (event && isResizing) return resizedTo(event, snapped(event.end + draggedTo - grabbed));
  if (event) return movedTo(event, grabbed, draggedTo);
  const [start, end] = grabbed <= draggedTo ? [grabbed, draggedTo] : [draggedTo, grabbed];
  return resizedTo({ start: floored(start), end: 0 }, snapped(end));
}

/** A press without movement selects an hour. */
const hourAt = (at: number): Span => ({ start: floored(at), end: floored(at) + 2 * HALF_HOUR_MS });

/** Rounds down to the local half hour, which in Nepal is 15 minutes off that of UTC. */
function floored(at: number): number {
  const date = new Date(at);
  return date.setMinutes(date.getMinutes() < 30 ? 0 : 30, 0, 0);
}
