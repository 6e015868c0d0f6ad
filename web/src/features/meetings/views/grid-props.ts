import type { Day } from '../../../lib/day.ts';
import type { CalendarEvent } from '../layout/calendar-event.ts';
import type { Span } from '../layout/span.ts';
import type { Moved } from './drag-and-drop/use-moving.ts';
import type { Unknown } from './use-events.ts';

/** What a grid of events is given, by hours or by days of a month. */
export type GridProps = {
  days: readonly Day[];
  /** The day that the view is of. */
  day: Day;
  today: Day;
  events: readonly CalendarEvent[];
  unknown: Unknown;
  /** What screen readers call it. */
  label: string;
  /** What was dropped and stands there until a question about it is answered. */
  held: Moved | null;
  /** The event that went back last because its move was not confirmed. */
  putBack: CalendarEvent | null;
  /** Whether something is open over it. */
  isCovered: boolean;
  say: (words: string) => void;
  onOpen: (event: CalendarEvent) => void;
  onDrop: (event: CalendarEvent, span: Span) => void;
  /** Brings a day into sight that is not. */
  onDay: (date: Date) => void;
  /** Shows the view before or after; answers its day of that index. */
  onTurn: (by: 1 | -1, index: number) => Day;
  /** Whether it takes the place of another view that had the focus. */
  takesFocus: { current: boolean };
  /** Which day the cursor is on. */
  noteDay: (day: Day) => void;
  /** Shows a day by itself. */
  onPickDay: (day: Day) => void;
  /** Schedules a meeting for that time, or at none in particular; absent for who may not. */
  onMark: ((span: Span | undefined) => void) | undefined;
};
