import { type FocusEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Day } from '../../../lib/day.ts';
import { useStableCallback } from '../../../lib/hooks/use-stable-callback.ts';
import type { CalendarEvent } from '../layout/calendar-event.ts';
import { nearest, type Stop } from '../layout/stops.ts';

type Cursor = Pick<Stop, 'key' | 'day' | 'place'>;

type Given = {
  /** Of each day, in the order of the days. */
  stops: readonly (readonly Stop[])[];
  /** Where Tab leads to at first. */
  first: Stop | undefined;
  /** Whether that is better than the weekday of before, once other days are shown. */
  isFirstBest: boolean;
  takesFocus: { current: boolean };
};

/**
 * One stop of many takes part in the order of Tab, and the arrow keys lead from it to the others. The focus stays where it was when what
 * had it moves, changes its day, or goes.
 */
export function useRoving({ stops, first, isFirstBest, takesFocus }: Given) {
  const root = useRef<HTMLDivElement>(null);
  const isWanted = useRef(takesFocus.current);
  const hadFocus = useRef(false);
  // The stop that has the focus until what the cursor names is drawn: a meeting whose move waits for an answer.
  const standIn = useRef<string>(undefined);
  const [cursor, setCursor] = useState<Cursor>();
  const index = useRef(0);
  const known = cursor && resolve(stops, cursor);
  const sameWeekday = cursor && !isFirstBest ? nearest(stops[index.current] ?? [], cursor.place) : undefined;
  const active = known ?? sameWeekday ?? first;
  useLayoutEffect(() => {
    takesFocus.current = false;
    index.current = stops.findIndex(([stop]) => stop?.day === active?.day);
  });
  useLayoutEffect(() => {
    if (!active) return;
    const isLost = hadFocus.current && document.activeElement === document.body;
    const isDrawn = standIn.current !== undefined && active.key === cursor?.key && hasFocus(standIn.current);
    if (!(isWanted.current || isLost || isDrawn)) return;
    const element = root.current?.querySelector<HTMLElement>(`[data-stop="${active.key}"]`);
    if (!element) return;
    isWanted.current = false;
    standIn.current = cursor?.key && cursor.key !== active.key ? active.key : undefined;
    element.focus();
  });
  return {
    root,
    active,
    /** Goes there, with the focus. */
    go(to: Cursor) {
      isWanted.current = true;
      setCursor(to);
    },
    /** Sets the cursor without focusing it. */
    place: setCursor,
    /** Has the focus come back to where it was, as after a dialog. */
    comeBack() {
      isWanted.current = true;
      setCursor((known) => (known ? { ...known } : active));
    },
    handlers: {
      onFocus({ target }: FocusEvent<HTMLElement>) {
        hadFocus.current = true;
        const stop = stops.flat().find(({ key }) => key === target.dataset.stop);
        if (stop && stop.key === standIn.current) return setCursor((known) => known && { ...known });
        standIn.current = undefined;
        if (stop && stop.key !== cursor?.key) setCursor(stop);
      },
      onBlur({ target, relatedTarget }: FocusEvent<HTMLElement>) {
        if (relatedTarget) hadFocus.current = root.current?.contains(relatedTarget) === true;
        // What was taken away has not been left.
        else setTimeout(() => target.isConnected && document.activeElement === document.body && forget());
      },
    },
  };

  function forget() {
    hadFocus.current = false;
  }
}

const hasFocus = (key: string) =>
  document.activeElement instanceof HTMLElement && document.activeElement.dataset.stop === key;

/** The stop itself, or what stands nearest to where it was. */
function resolve(stops: readonly (readonly Stop[])[], { key, day, place }: Cursor): Stop | undefined {
  const ofDay = stops.find((own) => own[0]?.day === day);
  return ofDay && (ofDay.find((stop) => stop.key === key) ?? nearest(ofDay, place));
}

/** Where the cursor is to stand on a day, at a place of its own. */
export const cursorAt = (day: Day, place: number): Cursor => ({ key: '', day, place });

/** A dialog that closes gives the focus back to what opened it, which may have been drawn anew meanwhile. */
export function useComeBack(isCovered: boolean, comeBack: () => void): void {
  const was = useRef(isCovered);
  const back = useStableCallback(comeBack);
  useLayoutEffect(() => {
    const isClosed = was.current && !isCovered;
    was.current = isCovered;
    if (!isClosed) return;
    // Whoever is given the focus keeps it.
    const timer = setTimeout(() => document.activeElement === document.body && back(), 50);
    return () => clearTimeout(timer);
  }, [isCovered, back]);
}

/** Moves the cursor back to an event whose move was not confirmed; until then it is where the event was dropped. */
export function usePutBack(event: CalendarEvent | null, place: (event: CalendarEvent) => void): void {
  const placeLatest = useStableCallback(place);
  useLayoutEffect(() => {
    if (event) placeLatest(event);
  }, [event, placeLatest]);
}

/** Tells on which day the cursor is. */
export function useCursorDay(day: Day | undefined, note: (day: Day) => void): void {
  useEffect(() => {
    if (day !== undefined) note(day);
  }, [day, note]);
}
