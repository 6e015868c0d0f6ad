import { type RefObject, useEffect, useState } from 'react';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import type { CalendarEvent } from '../layout/calendar-event.ts';
import { getImmovableReason, spanWithDayLabel } from '../layout/event-labels.ts';
import type { Span } from '../layout/span.ts';

type MoveInput = 'keys' | 'pointer';

/** The event being moved, or null for a time span being selected; `span` is the target time. */
export type Moved = { event: CalendarEvent | null; span: Span; by: MoveInput };

type MovingParams = {
  /** A keyboard move is canceled when focus leaves this element. */
  root: RefObject<HTMLElement | null>;
  announce: (text: string) => void;
  onDrop: (event: CalendarEvent, span: Span) => void;
  /** Called with the final time of a moved event, which regains focus after a keyboard move. */
  onPutDown: (event: CalendarEvent, span: Span, by: MoveInput) => void;
  help: string;
};

export type Moving = ReturnType<typeof useMoving>;

export function useMoving({ root, announce, onDrop, onPutDown, help }: MovingParams) {
  const [currentMove, setCurrentMove] = useState<Moved | null>(null);
  const end = () => setCurrentMove(null);
  const announceReturn = (event: CalendarEvent) => announce(`${event.title} is back on ${spanWithDayLabel(event)}`);
  useLeaving(root, currentMove?.by === 'keys', () => {
    end();
    if (currentMove?.event) announceReturn(currentMove.event);
  });
  return {
    currentMove,
    set: setCurrentMove,
    pickUp(event: CalendarEvent) {
      const reason = getImmovableReason(event);
      if (reason !== undefined) return announce(reason);
      setCurrentMove({ event, span: { start: event.start, end: event.end }, by: 'keys' });
      announce(`Picked up ${event.title}, ${spanWithDayLabel(event)}. ${help}`);
    },
    to(span: Span) {
      if (!currentMove) return;
      setCurrentMove({ ...currentMove, span });
      announce(spanWithDayLabel(span));
    },
    /** Pass `moved` if the latest state has not been rendered yet. */
    drop(moved = currentMove) {
      if (!moved?.event) return;
      const { event, span, by } = moved;
      end();
      if (span.start === event.start && span.end === event.end) {
        onPutDown(event, event, by);
        return announce(`${event.title} was not moved`);
      }
      onPutDown(event, span, by);
      onDrop(event, span);
    },
    cancel(moved = currentMove) {
      if (!moved?.event) return end();
      const { event, by } = moved;
      end();
      onPutDown(event, event, by);
      announceReturn(event);
    },
  };
}

function useLeaving(root: RefObject<HTMLElement | null>, isOn: boolean, onLeave: () => void): void {
  const leave = useStableCallback(onLeave);
  useEffect(() => {
    if (!isOn) return;
    const onFocusIn = ({ target }: FocusEvent) => {
      if (target instanceof Node && root.current?.contains(target) === false) leave();
    };
    document.addEventListener('focusin', onFocusIn);
    // Runs in the capture phase, before the pressed element can start a move.
    document.addEventListener('pointerdown', leave, true);
    return () => {
      document.removeEventListener('focusin', onFocusIn);
      document.removeEventListener('pointerdown', leave, true);
    };
  }, [root, isOn, leave]);
}
