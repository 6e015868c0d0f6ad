import { isolate } from '@atrium/proto-events/text/isolate';
import type { ReminderContent } from '../mail-content.ts';
import type { EmailLayout } from './email-layout.ts';
import { timeSpan } from './times.ts';

type Given = { content: ReminderContent; timezone: string; url: string };

/** A meeting begins soon, at the time that the recipient chose to be told of it. */
export function meetingReminderLetter({ content: { meeting, organizer }, timezone, url }: Given): EmailLayout {
  const facts: [string, string][] = [['When', timeSpan(meeting.startTime, meeting.endTime, timezone)]];
  if (meeting.location) facts.push(['Where', meeting.location]);
  if (meeting.meetingLink) facts.push(['Join', meeting.meetingLink]);
  facts.push(['Organizer', organizer]);
  return {
    subject: `Reminder: ${isolate(meeting.title)}`,
    heading: meeting.title,
    paragraphs: ['This meeting begins soon.'],
    facts,
    action: { label: 'Open your meetings', url },
    footnote: 'You receive this because you are invited. When you are reminded is up to you: see Account Settings.',
  };
}
