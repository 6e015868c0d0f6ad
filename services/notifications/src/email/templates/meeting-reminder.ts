import { isolate } from '@atrium/proto-events/text/isolate';
import type { ReminderContent } from '../email-content.ts';
import type { EmailLayout } from './email-layout.ts';
import { timeSpan } from './times.ts';

type MeetingReminderParams = { content: ReminderContent; timezone: string; url: string };

export function meetingReminderEmail({
  content: { meeting, organizer },
  timezone,
  url,
}: MeetingReminderParams): EmailLayout {
  const facts: [string, string][] = [['When', timeSpan(meeting.startTime, meeting.endTime, timezone)]];
  if (meeting.location) facts.push(['Where', meeting.location]);
  if (meeting.meetingLink) facts.push(['Join', meeting.meetingLink]);
  facts.push(['Organizer', organizer]);
  return {
    subject: `Reminder: ${isolate(meeting.title)}`,
    heading: meeting.title,
    paragraphs: ['This meeting starts soon.'],
    facts,
    action: { label: 'Open your meetings', url },
    footnote: 'You received this email because you are invited to this meeting. Change reminders in Account Settings.',
  };
}
