import type { Day } from '#lib/time/day.ts';
import type { Moved } from '../drag-and-drop/use-moving.ts';
import type { CalendarEvent, LoadState } from '../layout/calendar-event.ts';
import type { Span } from '../layout/span.ts';

export type GridProps = {
  days: readonly Day[];
  /** The day the view is for. */
  day: Day;
  today: Day;
  events: readonly CalendarEvent[];
  loadState: LoadState;
  label: string;
  /** An event that was dropped and is waiting for confirmation. */
  pendingMove: Moved | null;
  /** The event restored last because its move was not confirmed. */
  restoredEvent: CalendarEvent | null;
  isCovered: boolean;
  announce: (text: string) => void;
  onOpen: (event: CalendarEvent) => void;
  onDrop: (event: CalendarEvent, span: Span) => void;
  /** Shows a day outside the view. */
  onDay: (date: Date) => void;
  /** Shows the previous or next view; returns its day at that index. */
  onNavigate: (by: 1 | -1, index: number) => Day;
  /** Whether this view replaces another one that had focus. */
  takesFocus: { current: boolean };
  onCursorDay: (day: Day) => void;
  onPickDay: (day: Day) => void;
  /** Schedules a meeting at a time, if given; undefined if the user cannot. */
  onSchedule: ((span: Span | undefined) => void) | undefined;
};
