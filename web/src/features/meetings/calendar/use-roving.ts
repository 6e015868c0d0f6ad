import { type FocusEvent, useLayoutEffect, useRef, useState } from 'react';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import type { Day } from '#lib/time/day.ts';
import { nearest, type Stop } from '../layout/stops.ts';

export type Cursor = Pick<Stop, 'key' | 'day' | 'position'>;

export type RovingParams = {
  stops: readonly (readonly Stop[])[];
  first: Stop | undefined;
  /** Whether `first` takes precedence over the previous weekday when other days are shown. */
  prefersFirst: boolean;
  takesFocus: { current: boolean };
};

/** Keeps focus when its stop moves, changes its day, or is removed. */
export function useRoving({ stops, first, prefersFirst, takesFocus }: RovingParams) {
  const root = useRef<HTMLDivElement>(null);
  const shouldFocus = useRef(takesFocus.current);
  const hadFocus = useRef(false);
  // Has focus until the cursor's target is rendered, such as during a move that waits for its response.
  const substituteKey = useRef<string>(undefined);
  const [cursor, setCursor] = useState<Cursor>();
  const index = useRef(0);
  const cursorStop = cursor && resolve(stops, cursor);
  const sameWeekday = cursor && !prefersFirst ? nearest(stops[index.current] ?? [], cursor.position) : undefined;
  const active = cursorStop ?? sameWeekday ?? first;
  useLayoutEffect(() => {
    takesFocus.current = false;
    index.current = stops.findIndex(([stop]) => stop?.day === active?.day);
  });
  useLayoutEffect(() => {
    if (!active) return;
    const isLost = hadFocus.current && document.activeElement === document.body;
    const isRendered =
      substituteKey.current !== undefined && active.key === cursor?.key && hasFocus(substituteKey.current);
    if (!(shouldFocus.current || isLost || isRendered)) return;
    const element = root.current?.querySelector<HTMLElement>(`[data-stop="${active.key}"]`);
    if (!element) return;
    shouldFocus.current = false;
    substituteKey.current = cursor?.key && cursor.key !== active.key ? active.key : undefined;
    element.focus();
  });
  return {
    root,
    active,
    go(to: Cursor) {
      shouldFocus.current = true;
      setCursor(to);
    },
    /** Sets the cursor without focusing it. */
    setCursor,
    restoreFocus() {
      shouldFocus.current = true;
      setCursor((current) => (current ? { ...current } : active));
    },
    handlers: {
      onFocus({ target }: FocusEvent<HTMLElement>) {
        hadFocus.current = true;
        const stop = stops.flat().find(({ key }) => key === target.dataset.stop);
        if (stop && stop.key === substituteKey.current) return setCursor((current) => current && { ...current });
        substituteKey.current = undefined;
        if (stop && stop.key !== cursor?.key) setCursor(stop);
      },
      onBlur({ target, relatedTarget }: FocusEvent<HTMLElement>) {
        if (relatedTarget) hadFocus.current = root.current?.contains(relatedTarget) === true;
        // A removed element fires no blur, so check that focus has really left.
        else setTimeout(() => target.isConnected && document.activeElement === document.body && recordFocusLoss());
      },
    },
  };

  function recordFocusLoss() {
    hadFocus.current = false;
  }
}

const hasFocus = (key: string) =>
  document.activeElement instanceof HTMLElement && document.activeElement.dataset.stop === key;

function resolve(stops: readonly (readonly Stop[])[], { key, day, position }: Cursor): Stop | undefined {
  const dayStops = stops.find(([stop]) => stop?.day === day);
  return dayStops && (dayStops.find((stop) => stop.key === key) ?? nearest(dayStops, position));
}

export const cursorAt = (day: Day, position: number): Cursor => ({ key: '', day, position });

/** Restores focus if the element that opened a dialog was replaced before the dialog closes. */
export function useFocusRestore(isCovered: boolean, onRestore: () => void): void {
  const wasCovered = useRef(isCovered);
  const restore = useStableCallback(onRestore);
  useLayoutEffect(() => {
    const isClosed = wasCovered.current && !isCovered;
    wasCovered.current = isCovered;
    if (!isClosed) return;
    // Does not take focus from another element.
    const timer = setTimeout(() => document.activeElement === document.body && restore(), 50);
    return () => clearTimeout(timer);
  }, [isCovered, restore]);
}
