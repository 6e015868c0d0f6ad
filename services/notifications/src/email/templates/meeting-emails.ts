import { isolate } from '@atrium/proto-events/text/isolate';
import { type ContentOf, isCancellation, type MeetingContent } from './email-content.ts';
import type { EmailLayout } from './email-layout.ts';
import { formatDate, formatRecurrence, formatTimeSpan } from './times.ts';

/** `url` is the meetings page; `meetingId` selects the meeting on it. */
type MeetingEmailParams = { content: MeetingContent; timezone: string; url: string; meetingId: string };

const SUBJECT = { invited: 'Invitation', updated: 'Updated', cancelled: 'Cancelled', removed: 'Cancelled' } as const;

export function meetingEmail({ content, timezone, url, meetingId }: MeetingEmailParams): EmailLayout {
  const { type, meeting, ended } = content;
  // Recipients with an unknown time zone get the time in the zone of the meeting.
  const zone = timezone === 'UTC' ? meeting.timezone : timezone;
  const isCanceled = isCancellation(type);
  return {
    subject: `${SUBJECT[ended?.as ?? type]}: ${isolate(meeting.title)}`,
    heading: meeting.title,
    paragraphs: [createSentence(content, zone)],
    details: createDetails(content, zone),
    quotes: isCanceled ? [] : createQuotes(content),
    ...(needsRsvp(content) && { choices: createRsvpLinks(content, url, meetingId) }),
    ...(!isCanceled && { action: { label: 'Open the meeting', url: `${url}?meeting=${meetingId}` } }),
    ...(isCanceled && { footnote: 'You received this email because you were invited to this meeting.' }),
  };
}

function createSentence(content: MeetingContent, zone: string): string {
  const { type, changed, ended } = content;
  const organizer = isolate(content.organizer);
  if (ended) return createTruncationSentence(ended, organizer, zone);
  if (type === 'invited') return `${organizer} invited you to this meeting.`;
  if (type === 'removed') return `You are no longer invited to ${organizer}’s meeting.`;
  if (type === 'cancelled') return `This meeting was cancelled.`;
  if (!needsRsvp(content)) return 'This meeting was changed.';
  return hasNewTime(changed)
    ? 'This meeting has a new time. Please respond again.'
    : 'The schedule of this meeting has changed. Please respond again.';
}

function createTruncationSentence(
  { from, as: type }: NonNullable<MeetingContent['ended']>,
  organizer: string,
  zone: string,
): string {
  const day = formatDate(from, zone);
  return type === 'cancelled'
    ? `All occurrences of this meeting starting ${day}, were cancelled.`
    : `Starting ${day}, you are no longer invited to ${organizer}’s meeting.`;
}

const hasNewTime = (changed: readonly string[]) => TIME_FIELDS.some((field) => changed.includes(field));
const TIME_FIELDS = ['startTime', 'endTime', 'timezone'];

const needsRsvp = ({ type, rsvpReset, ended }: MeetingContent) =>
  type === 'invited' || (type === 'updated' && rsvpReset && !ended);

/** Links only open a confirmation in the app: following a link must not change anything. */
function createRsvpLinks({ meeting }: MeetingContent, url: string, meetingId: string) {
  const target = meeting.frequency === null ? meetingId : `${meetingId}-all`;
  return [
    { label: 'Accept', url: `${url}?accept=${target}` },
    { label: 'Tentative', url: `${url}?tentative=${target}` },
    { label: 'Decline', url: `${url}?decline=${target}` },
  ];
}

function createDetails({ meeting, organizer }: MeetingContent, zone: string): [string, string][] {
  const rows: [string, string][] = [['When', formatTimeSpan(meeting.startTime, meeting.endTime, zone)]];
  const recurrence = formatRecurrence(meeting, zone);
  if (recurrence) rows.push(['Repeats', recurrence]);
  if (meeting.location) rows.push(['Where', meeting.location]);
  if (meeting.meetingLink) rows.push(['Join', meeting.meetingLink]);
  rows.push(['Organizer', organizer]);
  return rows;
}

function createQuotes({ meeting }: MeetingContent): [string, string][] {
  const sections: [string, string][] = [
    ['About', meeting.description],
    ['Agenda', meeting.agenda],
  ];
  return sections.filter(([, text]) => text !== '');
}

type MeetingReminderParams = { content: ContentOf<'meeting-reminder'>; timezone: string; url: string };

export function meetingReminderEmail({
  content: { meeting, organizer },
  timezone,
  url,
}: MeetingReminderParams): EmailLayout {
  const rows: [string, string][] = [['When', formatTimeSpan(meeting.startTime, meeting.endTime, timezone)]];
  if (meeting.location) rows.push(['Where', meeting.location]);
  if (meeting.meetingLink) rows.push(['Join', meeting.meetingLink]);
  rows.push(['Organizer', organizer]);
  return {
    subject: `Reminder: ${isolate(meeting.title)}`,
    heading: meeting.title,
    paragraphs: ['This meeting starts soon.'],
    details: rows,
    action: { label: 'Open your meetings', url },
  };
}
