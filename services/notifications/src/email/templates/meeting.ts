import { isolate } from '@atrium/proto-events/text/isolate';
import type { MeetingContent } from '../mail-content.ts';
import type { EmailLayout } from './email-layout.ts';
import { longDay, repetition, timeSpan } from './times.ts';

/** `url` is the app's page of meetings, `meetingId` by which one it is reached. */
type Given = { content: MeetingContent; timezone: string; url: string; meetingId: string };

const SUBJECT = { invited: 'Invitation', updated: 'Updated', cancelled: 'Cancelled', removed: 'Cancelled' } as const;

/** News of a meeting; the calendar part beside it says the same to the recipient's calendar. */
export function meetingLetter({ content, timezone, url, meetingId }: Given): EmailLayout {
  const { news, meeting, ended } = content;
  // People whose zone is not known yet are told the time in the meeting's own.
  const zone = timezone === 'UTC' ? meeting.timezone : timezone;
  const gone = news === 'cancelled' || news === 'removed';
  return {
    subject: `${SUBJECT[ended?.as ?? news]}: ${isolate(meeting.title)}`,
    heading: meeting.title,
    paragraphs: [sentence(content, zone)],
    facts: facts(content, zone),
    quotes: gone ? [] : texts(content),
    ...(isAsked(content) && { choices: choices(content, url, meetingId) }),
    ...(!gone && { action: { label: 'Open the meeting', url: `${url}?meeting=${meetingId}` } }),
    footnote: `You receive this because you ${gone ? 'were' : 'are'} invited to this meeting.`,
  };
}

function sentence(content: MeetingContent, zone: string): string {
  const { news, changed, ended } = content;
  const organizer = isolate(content.organizer);
  if (ended) return sentenceOfEnd(ended, organizer, zone);
  if (news === 'invited') return `${organizer} invites you to this meeting.`;
  if (news === 'removed') return `${organizer}’s meeting takes place without you: you are no longer invited.`;
  if (news === 'cancelled') return `This meeting was cancelled.`;
  if (!isAsked(content)) return 'This meeting was changed.';
  return isMoved(changed)
    ? 'This meeting has a new time. Please respond again.'
    : 'How this meeting repeats has changed. Please respond again.';
}

/** Of a series: what was before stands in the calendar as it did. */
function sentenceOfEnd({ from, as }: NonNullable<MeetingContent['ended']>, organizer: string, zone: string): string {
  const day = longDay(from, zone);
  return as === 'cancelled'
    ? `All dates of this meeting starting ${day}, were cancelled.`
    : `${organizer}’s meeting takes place without you starting ${day}: you are no longer invited to those dates.`;
}

const isMoved = (changed: readonly string[]) => OF_TIME.some((field) => changed.includes(field));
const OF_TIME = ['startTime', 'endTime', 'timezone'];

const isAsked = ({ news, rsvpReset, ended }: MeetingContent) =>
  news === 'invited' || (news === 'updated' && rsvpReset && !ended);

/** Each leads to the meeting, where whoever has signed in is asked whether that is the answer: opening an address changes nothing. */
function choices({ meeting }: MeetingContent, url: string, meetingId: string) {
  const target = meeting.frequency === null ? meetingId : `${meetingId}-all`;
  return [
    { label: 'Accept', url: `${url}?accept=${target}` },
    { label: 'Tentative', url: `${url}?tentative=${target}` },
    { label: 'Decline', url: `${url}?decline=${target}` },
  ];
}

function facts({ meeting, organizer }: MeetingContent, zone: string): [string, string][] {
  const rows: [string, string][] = [['When', timeSpan(meeting.startTime, meeting.endTime, zone)]];
  const repeats = repetition(meeting, zone);
  if (repeats) rows.push(['Repeats', repeats]);
  if (meeting.location) rows.push(['Where', meeting.location]);
  if (meeting.meetingLink) rows.push(['Join', meeting.meetingLink]);
  rows.push(['Organizer', organizer]);
  return rows;
}

function texts({ meeting }: MeetingContent): [string, string][] {
  const both: [string, string][] = [
    ['About', meeting.description],
    ['Agenda', meeting.agenda],
  ];
  return both.filter(([, text]) => text !== '');
}
