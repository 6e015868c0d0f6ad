import type { SeriesRule } from '@atrium/proto-events/recurrence';
import { recurrenceText, seriesDay } from '@atrium/proto-events/recurrence-text';
import type { MeetingContent } from '../mail-content.ts';

/** A moment in words in a zone, such as "Thursday 19 November 2026 at 10:00 (UTC)". */
export function longTime(iso: string, timeZone: string): string {
  return `${longDay(iso, timeZone)} at ${clock(iso, timeZone)} (${timeZone})`;
}

/** From when to when, the day said once where it is one day. */
export function timeSpan(start: string, end: string, timeZone: string): string {
  const first = longDay(start, timeZone);
  const last = longDay(end, timeZone);
  const until = first === last ? clock(end, timeZone) : `${last}, ${clock(end, timeZone)}`;
  return `${first}, ${clock(start, timeZone)} – ${until} (${timeZone})`;
}

type Repeated = Pick<MeetingContent['meeting'], 'startTime' | 'timezone' | keyof SeriesRule>;

/** How a series repeats, for a reader in a time zone; `until` is a calendar day. Undefined for a single meeting. */
export function repetition({ frequency, until, ...rule }: Repeated, readerZone: string): string | undefined {
  if (frequency === null) return undefined;
  const text = recurrenceText({ ...rule, frequency }, seriesDay(rule, readerZone)).replace(/^e/, 'E');
  return until === null ? text : `${text} until ${longDay(`${until}T00:00:00.000Z`, 'UTC')}`;
}

/** A day in words, such as "Thursday 19 November 2026". */
export function longDay(iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone }).format(new Date(iso)).replace(',', '');
}

function clock(iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(new Date(iso));
}
