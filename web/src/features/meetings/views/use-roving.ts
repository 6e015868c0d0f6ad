import { type FocusEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Day } from '../../../lib/day.ts';
import { nearest, type Stop } from '../layout/stops.ts';

type Cursor = Pick<Stop, 'key' | 'day' | 'place'>;

type Given = {
  /** Of each day, in the order of the days. */
  stops: readonly (readonly Stop[])[];
  /** Where Tab leads to at first. */
  first: Stop | undefined;
};

/**
 * One stop of many takes part in the order of Tab, and the arrow keys lead from it to the others. The focus stays where it was when what
 * had it moves, changes its day, or goes.
 */
export function useRoving({ stops, first }: Given) {
  const root = useRef<HTMLDivElement>(null);
  const isWanted = useRef(false);
  const hadFocus = useRef(false);
  const [cursor, setCursor] = useState<Cursor>();
  const active = (cursor && resolve(stops, cursor)) ?? first;
  useLayoutEffect(() => {
    const isLost = hadFocus.current && document.activeElement === document.body;
    if (!active || !(isWanted.current || isLost)) return;
    const element = root.current?.querySelector<HTMLElement>(`[data-stop="${active.key}"]`);
    if (!element) return;
    isWanted.current = false;
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
    /** Has the focus come back to where it was, as after a dialog. */
    comeBack() {
      isWanted.current = true;
      setCursor((known) => (known ? { ...known } : active));
    },
    handlers: {
      onFocus({ target }: FocusEvent<HTMLElement>) {
        hadFocus.current = true;
        const stop = stops.flat().find(({ key }) => key === target.dataset.stop);
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

/** The stop itself, or what stands nearest to where it was. */
function resolve(stops: readonly (readonly Stop[])[], { key, day, place }: Cursor): Stop | undefined {
  const ofDay = stops.find((own) => own[0]?.day === day);
  return ofDay && (ofDay.find((stop) => stop.key === key) ?? nearest(ofDay, place));
}

/** Where the cursor is to stand on a day, at a place of its own. */
export const cursorAt = (day: Day, place: number): Cursor => ({ key: '', day, place });
