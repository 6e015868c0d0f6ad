import { type RefObject, useState } from 'react';
import type { CalendarEvent } from '../../layout/calendar-event.ts';
import type { Span } from '../../layout/span.ts';
import { whenWords, whyFixed } from '../event-labels.ts';
import { useLeaving } from './use-leaving.ts';

type By = 'keys' | 'pointer';

/** What is being moved, or without an event a stretch that is being marked; `span` is where it would come to stand. */
export type Moved = { event: CalendarEvent | null; span: Span; by: By };

type Given = {
  /** The grid. What was picked up by a key in it is not carried on once the person is elsewhere. */
  root: RefObject<HTMLElement | null>;
  say: (words: string) => void;
  onDrop: (event: CalendarEvent, span: Span) => void;
  /** An event is where it was, and has the focus again if a key put it back. */
  onPutDown: (event: CalendarEvent, span: Span, by: By) => void;
  help: string;
};

export type Moving = ReturnType<typeof useMoving>;

/** Picking up, moving and dropping: what it would come to is said, and nothing is changed before it is dropped. */
export function useMoving({ root, say, onDrop, onPutDown, help }: Given) {
  const [now, setNow] = useState<Moved | null>(null);
  const end = () => setNow(null);
  const sayBack = (event: CalendarEvent) => say(`${event.title} is back on ${whenWords(event)}`);
  useLeaving(root, now?.by === 'keys', () => {
    end();
    if (now?.event) sayBack(now.event);
  });
  return {
    now,
    set: setNow,
    pickUp(event: CalendarEvent) {
      const why = whyFixed(event);
      if (why !== undefined) return say(why);
      setNow({ event, span: { start: event.start, end: event.end }, by: 'keys' });
      say(`Picked up ${event.title}, ${whenWords(event)}. ${help}`);
    },
    to(span: Span) {
      if (!now) return;
      setNow({ ...now, span });
      say(whenWords(span));
    },
    /** `what` where the newest has not been drawn yet. */
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
