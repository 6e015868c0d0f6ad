import { useEffect, useLayoutEffect } from 'react';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { useMoving } from '../drag-and-drop/use-moving.ts';
import type { CalendarEvent } from '../layout/calendar-event.ts';
import type { GridProps } from './grid-props.ts';
import { type GridKeysParams, useGridKeys } from './use-grid-keys.ts';
import { type Cursor, cursorAt, type RovingParams, useFocusRestore, useRoving } from './use-roving.ts';

type EventGridParams = Omit<RovingParams, 'takesFocus'> &
  Pick<GridKeysParams, 'step' | 'moveByArrow'> & {
    help: string;
    /** The cursor for an event that starts at that time; undefined if its day is not shown. */
    findCursor: (event: Pick<CalendarEvent, 'id' | 'start'>) => Cursor | undefined;
    /** Whether the cursor keeps its vertical position when another view is shown. */
    keepsPosition: boolean;
  };

export function useEventGrid(props: GridProps, params: EventGridParams) {
  const { events, isCovered, restoredEvent, takesFocus, announce, onDrop, onNavigate, onCursorDay } = props;
  const { stops, first, prefersFirst, step, moveByArrow, help, findCursor, keepsPosition } = params;
  const roving = useRoving({ stops, first, prefersFirst, takesFocus });
  const findEvent = (id: string) => events.find((event) => event.id === id);
  const moving = useMoving({
    root: roving.root,
    announce,
    help,
    onDrop,
    onPutDown({ id }, { start }, by) {
      const cursor = findCursor({ id, start });
      if (by === 'keys' && cursor) roving.go(cursor);
    },
  });
  const onKeyDown = useGridKeys({
    active: roving.active,
    stops,
    step,
    moveByArrow,
    moving,
    findEvent,
    go: roving.go,
    onNavigate: (by, index, position) => roving.go(cursorAt(onNavigate(by, index), keepsPosition ? position : 0)),
  });
  useFocusRestore(isCovered, roving.restoreFocus);
  const returnCursor = useStableCallback((event: CalendarEvent) => {
    const cursor = findCursor(event);
    if (cursor) roving.setCursor(cursor);
  });
  useLayoutEffect(() => {
    if (restoredEvent) returnCursor(restoredEvent);
  }, [restoredEvent, returnCursor]);
  const cursorDay = roving.active?.day;
  useEffect(() => {
    if (cursorDay !== undefined) onCursorDay(cursorDay);
  }, [cursorDay, onCursorDay]);
  return { roving, moving, findEvent, onKeyDown };
}
