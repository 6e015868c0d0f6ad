import type { SeriesRule } from '@atrium/proto-events/recurrence';
import { recurrenceText, seriesDay } from '@atrium/proto-events/recurrence-text';
import type { MeetingContent } from './email-content.ts';

export function longTime(iso: string, timeZone: string): string {
  return `${longDay(iso, timeZone)}, at ${clock(iso, timeZone)} (${timeZone})`;
}

export function timeSpan(start: string, end: string, timeZone: string): string {
  const first = longDay(start, timeZone);
  const last = longDay(end, timeZone);
  const until = first === last ? clock(end, timeZone) : `${last}, ${clock(end, timeZone)}`;
  return `${first}, ${clock(start, timeZone)} – ${until} (${timeZone})`;
}

type Repeated = Pick<MeetingContent['meeting'], 'startTime' | 'timezone' | keyof SeriesRule>;

export function repetition({ frequency, until, ...rule }: Repeated, readerZone: string): string | undefined {
  if (frequency === null) return undefined;
  const text = recurrenceText({ ...rule, frequency }, seriesDay(rule, readerZone)).replace(/^e/, 'E');
  return until === null ? text : `${text} until ${longDay(`${until}T00:00:00.000Z`, 'UTC')}`;
}

export function longDay(iso: string, timeZone: string): string {
  return format(iso, { dateStyle: 'full', timeZone });
}

function clock(iso: string, timeZone: string): string {
  return format(iso, { timeStyle: 'short', timeZone });
}

/** American English with plain spaces, which all email clients wrap and find. */
const format = (iso: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', options).format(new Date(iso)).replaceAll('\u202f', ' ');
