import type { SeriesRule } from '@atrium/proto-events/recurrence/rule';
import { recurrenceText, seriesDay } from '@atrium/proto-events/recurrence/text';
import type { MeetingContent } from './email-content.ts';

export function formatDateTime(iso: string, timeZone: string): string {
  return `${formatDate(iso, timeZone)}, at ${formatTimeOfDay(iso, timeZone)} (${timeZone})`;
}

export function formatTimeSpan(start: string, end: string, timeZone: string): string {
  const firstDate = formatDate(start, timeZone);
  const lastDate = formatDate(end, timeZone);
  const endText =
    firstDate === lastDate ? formatTimeOfDay(end, timeZone) : `${lastDate}, ${formatTimeOfDay(end, timeZone)}`;
  return `${firstDate}, ${formatTimeOfDay(start, timeZone)} – ${endText} (${timeZone})`;
}

type Recurrence = Pick<MeetingContent['meeting'], 'startTime' | 'timezone' | keyof SeriesRule>;

export function formatRecurrence({ frequency, until, ...rule }: Recurrence, readerZone: string): string | undefined {
  if (frequency === null) return undefined;
  const text = capitalize(recurrenceText({ ...rule, frequency }, seriesDay(rule, readerZone)));
  return until === null ? text : `${text} until ${formatDate(`${until}T00:00:00.000Z`, 'UTC')}`;
}

export function formatDate(iso: string, timeZone: string): string {
  return format(iso, { dateStyle: 'full', timeZone });
}

/** Due dates are stored as midnight UTC and mean that day in every time zone. */
export const formatDueDay = (iso: string): string => formatDate(iso, 'UTC');

function formatTimeOfDay(iso: string, timeZone: string): string {
  return format(iso, { timeStyle: 'short', timeZone });
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** American English with plain spaces, which every email client wraps and searches correctly. */
const format = (iso: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', options).format(new Date(iso)).replaceAll('\u202f', ' ');
