import { readReplies } from '@atrium/calendar/calendar-reply';
import type { EventOf } from '@atrium/proto-events/event';
import type { meetingReplied } from '@atrium/proto-events/events/notifications';
import { isSameEmail } from '@atrium/proto-events/text/email';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import PostalMime from 'postal-mime';
import { findCodes, readCode } from './reply-address.ts';

export type Replies = { address: string; keys: readonly Uint8Array[] };

type Reply = EventOf<typeof meetingReplied>['data'];

/** Where mail servers write to whom a mail came. */
const ADDRESSED = new Set(['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to', 'x-forwarded-to']);
/** A mail of a calendar program has one of each, or some of a series; anybody may write one with thousands, and each pair costs a proof. */
const MOST_CODES = 10;
const MOST_REPLIES = 20;
const CALENDAR_TYPES = new Set(['text/calendar', 'application/ics']);

/**
 * The answers of a mail, each with an id that is the same whoever reads it. From whom it says that it is counts for nothing: it counts that
 * it came to an address which only their invitation has, and that the calendar program answers as the person of that address.
 */
export async function readReplyMail(
  source: Uint8Array,
  { address, keys, directory }: Replies & { directory: Directory },
): Promise<{ id: string; reply: Reply }[]> {
  // What cannot be read is no answer, and must keep none that came after it waiting.
  const mail = await PostalMime.parse(source).catch(() => undefined);
  if (!mail) return [];
  const addressed = mail.headers.filter(({ key }) => ADDRESSED.has(key)).map(({ value }) => value);
  const codes = findCodes(address, addressed.join('\n')).slice(0, MOST_CODES);
  const calendars = mail.attachments.filter(({ mimeType }) => CALENDAR_TYPES.has(mimeType));
  const replies = calendars.flatMap(({ content }) => readReplies(textOf(content))).slice(0, MOST_REPLIES);
  const proven = replies.flatMap(({ attendee, ...reply }) => {
    for (const code of codes) {
      const userId = readCode(code, keys, reply.calendarId);
      if (userId !== undefined && isThemselves(directory, userId, attendee)) return [{ ...reply, userId }];
    }
    return [];
  });
  // The same answer stands there twice, as an alternative and as a file.
  const byId = new Map(proven.map((reply) => [deterministicId(JSON.stringify(reply)), reply]));
  return [...byId].map(([id, reply]) => ({ id, reply }));
}

function isThemselves(directory: Directory, userId: string, attendee: string): boolean {
  const person = directory.user(userId);
  return person !== undefined && isActive(person) && isSameEmail(person.email, attendee);
}

const textOf = (content: string | ArrayBuffer | Uint8Array) =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);
