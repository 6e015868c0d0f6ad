import { type RefObject, useEffect, useState } from 'react';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import type { CalendarEvent } from '../layout/calendar-event.ts';
import { getFixedReason, spanWithDayLabel } from '../layout/event-labels.ts';
import type { Span } from '../layout/span.ts';

type By = 'keys' | 'pointer';

/** The event being moved, or null for a time span being selected; `span` is the target time. */
export type Moved = { event: CalendarEvent | null; span: Span; by: By };

type MovingParams = {
  /** The grid. A keyboard move is cancelled when the focus leaves it. */
  root: RefObject<HTMLElement | null>;
  say: (text: string) => void;
  onDrop: (event: CalendarEvent, span: Span) => void;
  /** An event returned to its place, and regains the focus after a keyboard move. */
  onPutDown: (event: CalendarEvent, span: Span, by: By) => void;
  help: string;
};

export type Moving = ReturnType<typeof useMoving>;

/** Picks up, moves, and drops an event with announcements; nothing changes before the drop. */
export function useMoving({ root, say, onDrop, onPutDown, help }: MovingParams) {
  const [now, setNow] = useState<Moved | null>(null);
  const end = () => setNow(null);
  const sayBack = (event: CalendarEvent) => say(`${event.title} is back on ${spanWithDayLabel(event)}`);
  useLeaving(root, now?.by === 'keys', () => {
    end();
    if (now?.event) sayBack(now.event);
  });
  return {
    now,
    set: setNow,
    pickUp(event: CalendarEvent) {
      const why = getFixedReason(event);
      if (why !== undefined) return say(why);
      setNow({ event, span: { start: event.start, end: event.end }, by: 'keys' });
      say(`Picked up ${event.title}, ${spanWithDayLabel(event)}. ${help}`);
    },
    to(span: Span) {
      if (!now) return;
      setNow({ ...now, span });
      say(spanWithDayLabel(span));
    },
    /** `what` if the latest state has not been rendered yet. */
    drop(what = now) {
      if (!what?.event) return;
      const { event, span, by } = what;
      end();
      if (span.start === event.start && span.end === event.end) {
        onPutDown(event, event, by);
        return say(`${event.title} was not moved`);
      }
      onPutDown(event, span, by);
      onDrop(event, span);
    },
    cancel(what = now) {
      if (!what?.event) return end();
      const { event, by } = what;
      end();
      onPutDown(event, event, by);
      sayBack(event);
    },
  };
}

/** While on, reports that the focus left `root` or that the pointer was pressed anywhere. */
function useLeaving(root: RefObject<HTMLElement | null>, isOn: boolean, onLeave: () => void): void {
  const leave = useStableCallback(onLeave);
  useEffect(() => {
    if (!isOn) return;
    const look = ({ target }: FocusEvent) => {
      if (target instanceof Node && root.current?.contains(target) === false) leave();
    };
    document.addEventListener('focusin', look);
    // In the capture phase, before the pressed element can start a move.
    document.addEventListener('pointerdown', leave, true);
    return () => {
      document.removeEventListener('focusin', look);
      document.removeEventListener('pointerdown', leave, true);
    };
  }, [root, isOn, leave]);
}
