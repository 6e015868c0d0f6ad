import { useState } from 'react';
import type { CalendarEvent } from '../../layout/calendar-event.ts';
import type { Span } from '../../layout/span.ts';
import { whenWords, whyFixed } from '../event-words.ts';

type By = 'keys' | 'pointer';

/** What is being moved, or without an event a stretch that is being marked; `span` is where it would come to stand. */
export type Moved = { event: CalendarEvent | null; span: Span; by: By };

type Given = {
  say: (words: string) => void;
  onDrop: (event: CalendarEvent, span: Span) => void;
  /** An event is where it was, and has the focus again if a key put it back. */
  onPutDown: (event: CalendarEvent, span: Span, by: By) => void;
  help: string;
};

export type Moving = ReturnType<typeof useMoving>;

/** Picking up, moving and dropping: what it would come to is said, and nothing is changed before it is dropped. */
export function useMoving({ say, onDrop, onPutDown, help }: Given) {
  const [now, setNow] = useState<Moved | null>(null);
  const end = () => setNow(null);
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
        return say(`${event.title} stays where it was`);
      }
      onPutDown(event, span, by);
      onDrop(event, span);
    },
    cancel(what = now) {
      if (!what?.event) return end();
      const { event, by } = what;
      end();
      onPutDown(event, event, by);
      say(`${event.title} is back on ${whenWords(event)}`);
    },
  };
}
