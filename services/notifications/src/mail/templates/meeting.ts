import type { MeetingContent } from '../mail-content.ts';
import type { Letter } from './letter.ts';
import { repetition, timeSpan } from './times.ts';

type Given = { content: MeetingContent; timezone: string; url: string };

const SUBJECT = { invited: 'Invitation', updated: 'Updated', cancelled: 'Cancelled', removed: 'Cancelled' } as const;

/** News of a meeting; the calendar part beside it says the same to the recipient's calendar. */
export function meetingLetter({ content, timezone, url }: Given): Letter {
  const { news, meeting, organizer } = content;
  // People whose zone is not known yet are told the time in the meeting's own.
  const zone = timezone === 'UTC' ? meeting.timezone : timezone;
  const gone = news === 'cancelled' || news === 'removed';
  return {
    subject: `${SUBJECT[news]}: ${meeting.title}`,
    heading: meeting.title,
    paragraphs: [sentence(content, organizer)],
    facts: facts(content, zone),
    quotes: gone ? [] : texts(content),
    ...(!gone && { action: { label: news === 'invited' ? 'Respond' : 'Open your meetings', url } }),
    footnote: `You receive this because you ${gone ? 'were' : 'are'} invited to this meeting.`,
  };
}

function sentence({ news, changed }: MeetingContent, organizer: string): string {
  if (news === 'invited') return `${organizer} invites you to this meeting.`;
  if (news === 'removed') return `${organizer}’s meeting takes place without you: you are no longer invited.`;
  if (news === 'cancelled') return `This meeting was cancelled.`;
  const moved = changed.includes('startTime') || changed.includes('endTime') || changed.includes('timezone');
  return moved ? 'This meeting has a new time. Please respond again.' : 'This meeting was changed.';
}

function facts({ meeting, organizer }: MeetingContent, zone: string): [string, string][] {
  const rows: [string, string][] = [['When', timeSpan(meeting.startTime, meeting.endTime, zone)]];
  if (meeting.frequency) rows.push(['Repeats', repetition(meeting.frequency, meeting.until)]);
  if (meeting.location) rows.push(['Where', meeting.location]);
  if (meeting.meetingLink) rows.push(['Join', meeting.meetingLink]);
  rows.push(['Organiser', organizer]);
  return rows;
}

function texts({ meeting }: MeetingContent): [string, string][] {
  const both: [string, string][] = [
    ['About', meeting.description],
    ['Agenda', meeting.agenda],
  ];
  return both.filter(([, text]) => text !== '');
}
