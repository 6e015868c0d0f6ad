import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { formatTime, formatTimeRange } from '#lib/time/formats.ts';
import type { PillTone } from '#ui/pill.tsx';
import { clockTime, shortDate } from '#ui/times/time-format.ts';

type RsvpStatus = Meeting['participants'][number]['responseStatus'];

export const TYPE_LABELS: Record<Meeting['type'], string> = {
  'team-meeting': 'Team meeting',
  'one-on-one': 'One-on-one',
  'project-review': 'Project review',
  standup: 'Stand-up',
  retrospective: 'Retrospective',
  other: 'Other',
};

export const FREQUENCY_LABELS = { daily: 'Daily', weekly: 'Weekly', monthly: 'Monthly' } as const;

export const RESPONSES: Record<RsvpStatus, { label: string; tone: PillTone }> = {
  accepted: { label: 'Accepted', tone: 'success' },
  tentative: { label: 'Tentative', tone: 'warning' },
  declined: { label: 'Declined', tone: 'danger' },
  pending: { label: 'Awaiting response', tone: 'neutral' },
};

type Times = Pick<Meeting, 'startTime' | 'endTime'>;

const toDateString = (time: string) => new Date(time).toDateString();

/** '2:00 – 3:00 PM', with the end day if it differs. */
export const timeRange = (times: Times): string => formatRange(times, ' – ');

/** '2:00 to 3:00 PM' for screen readers, some of which skip dashes. */
export const spokenTimeRange = (times: Times): string => formatRange(times, ' to ');

function formatRange({ startTime, endTime }: Times, separator: string): string {
  if (toDateString(startTime) === toDateString(endTime)) return formatTimeRange(startTime, endTime, { separator });
  return `${clockTime(startTime)}${separator}${clockTime(endTime)}, ${shortDate(endTime)}`;
}

export function meetingTimeText(times: Times): string {
  const day = formatTime(times.startTime, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  return `${day}, ${timeRange(times)}`;
}

export function timeInMeetingZone({
  startTime,
  timezone,
}: Pick<Meeting, 'startTime' | 'timezone'>): string | undefined {
  const meetingTime = clockIn(timezone, startTime);
  if (meetingTime === undefined) return `the time zone ${zoneName(timezone)}`;
  return meetingTime === clockIn(undefined, startTime) ? undefined : `${meetingTime} in ${zoneName(timezone)}`;
}

export function rangeInMeetingZone(meeting: Times & Pick<Meeting, 'timezone'>): string | undefined {
  const meetingTime = timeInMeetingZone(meeting);
  if (meetingTime === undefined || clockIn(meeting.timezone, meeting.endTime) === undefined) return meetingTime;
  const isSameDay = weekdayIn(meeting.timezone, meeting.startTime) === weekdayIn(undefined, meeting.startTime);
  const range = formatTimeRange(meeting.startTime, meeting.endTime, { separator: ' to ', timeZone: meeting.timezone });
  const weekday = isSameDay ? '' : `${weekdayIn(meeting.timezone, meeting.startTime)} `;
  return `${weekday}${range} in ${zoneName(meeting.timezone)}`;
}

const weekdayIn = (timeZone: string | undefined, time: string) =>
  formatTime(time, { weekday: 'short', ...(timeZone !== undefined && { timeZone }) });

function clockIn(timeZone: string | undefined, time: string): string | undefined {
  const options = { weekday: 'short', hour: 'numeric', minute: '2-digit' } as const;
  try {
    return formatTime(time, timeZone === undefined ? options : { ...options, timeZone });
  } catch {
    return undefined;
  }
}

export const zoneName = (timezone: string): string => timezone.replaceAll('_', ' ');

/** Lists truncate the participants of large meetings. */
export const hasAllParticipants = ({ participants, participantCount }: Meeting): boolean =>
  participants.length >= participantCount;

export function canShowNotes(meeting: Meeting, now: number): boolean {
  const hasNotes = meeting.notes !== '' || meeting.summary !== '';
  return meeting.abilities.addNotes && (hasNotes || Date.parse(meeting.startTime) <= now);
}

export const notesAction = ({ notes, summary }: Pick<Meeting, 'notes' | 'summary'>): string =>
  notes === '' && summary === '' ? 'Add Notes' : 'Edit Notes';
