import type { KeyboardEvent } from 'react';
import { hasModifier } from '#lib/has-modifier.ts';
import type { Day } from '#lib/time/day.ts';
import type { Moving } from '../drag-and-drop/use-moving.ts';
import type { CalendarEvent } from '../layout/calendar-event.ts';
import type { Arrow, Span } from '../layout/span.ts';
import type { Step, Stop } from '../layout/stops.ts';

export type GridKeysParams = {
  active: Stop | undefined;
  stops: readonly (readonly Stop[])[];
  step: (days: readonly (readonly Stop[])[], stop: Stop, arrow: Arrow) => Step | undefined;
  moveByArrow: (span: Span, arrow: Arrow, isResizing: boolean) => Span;
  moving: Moving;
  findEvent: (id: string) => CalendarEvent | undefined;
  go: (stop: Stop) => void;
  onNavigate: (by: 1 | -1, index: number, position: number) => void;
};

const ARROWS: readonly string[] = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'];
const isArrow = (key: string): key is Arrow => ARROWS.includes(key);

export function useGridKeys(params: GridKeysParams) {
  const { active, stops, step, moving, findEvent, go, onNavigate } = params;

  const navigate = (stop: Stop, key: string): boolean => {
    const index = indexOf(stops, stop.day);
    const dayStops = stops[index] ?? [];
    const end = key === 'Home' ? dayStops[0] : key === 'End' ? dayStops.at(-1) : undefined;
    if (end) go(end);
    else if (key === 'PageUp' || key === 'PageDown') onNavigate(key === 'PageDown' ? 1 : -1, index, stop.position);
    else if (isArrow(key)) {
      const next = step(stops, stop, key);
      if (next && 'stop' in next) go(next.stop);
      else if (next) onNavigate(next.direction, next.index, stop.position);
    } else return false;
    return true;
  };

  return (event: KeyboardEvent) => {
    if (hasModifier(event)) return;
    if (moving.currentMove?.by === 'keys') return moveBy(event, params);
    if (!active || (event.shiftKey && event.key !== ' ')) return;
    const pickedEvent = event.key === ' ' && active.kind === 'event' ? findEvent(active.id) : undefined;
    if (pickedEvent) moving.pickUp(pickedEvent);
    else if (!navigate(active, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function moveBy(event: KeyboardEvent, { moveByArrow, moving }: GridKeysParams): void {
  const { key, shiftKey } = event;
  event.stopPropagation();
  // Tab may move focus, which cancels the move.
  if (key !== 'Tab') event.preventDefault();
  if (key === 'Escape' || key === 'Tab') moving.cancel();
  else if (key === 'Enter' || key === ' ') moving.drop();
  else if (isArrow(key) && moving.currentMove) moving.to(moveByArrow(moving.currentMove.span, key, shiftKey));
}

const indexOf = (stops: readonly (readonly Stop[])[], day: Day): number =>
  stops.findIndex(([stop]) => stop?.day === day);
