import { readReplies } from '@atrium/calendar/calendar-reply';
import type { EventOf } from '@atrium/proto-events/event';
import type { meetingReplied } from '@atrium/proto-events/events/notifications';
import { isSameEmail } from '@atrium/proto-events/text/email';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import PostalMime from 'postal-mime';
import { findCodes, verifyCode } from './reply-address.ts';

export type Replies = { address: string; keys: readonly Uint8Array[] };

type Reply = EventOf<typeof meetingReplied>['data'];

const RECIPIENT_HEADERS = new Set(['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to', 'x-forwarded-to']);
/**
 * Calendar apps send one code and one reply, or a few for a series. Crafted emails may contain thousands, and each pair
 * costs a signature check.
 */
const MAX_CODES = 10;
const MAX_REPLIES = 20;
const CALENDAR_TYPES = new Set(['text/calendar', 'application/ics']);

/**
 * Extracts the RSVP replies of an email, with ids that do not depend on the reader. The sender address is not trusted:
 * a reply counts if it was sent to the address that only this invitation contains, and its attendee is the user of that
 * address.
 */
export async function readReplyEmail(
  source: Uint8Array,
  { address, keys, directory }: Replies & { directory: Directory },
): Promise<{ id: string; reply: Reply }[]> {
  // Unreadable emails are skipped, so that they do not block later ones.
  const email = await PostalMime.parse(source).catch(() => undefined);
  if (!email) return [];
  const recipients = email.headers.filter(({ key }) => RECIPIENT_HEADERS.has(key)).map(({ value }) => value);
  const codes = findCodes(address, recipients.join('\n')).slice(0, MAX_CODES);
  const calendars = email.attachments.filter(({ mimeType }) => CALENDAR_TYPES.has(mimeType));
  const replies = calendars.flatMap(({ content }) => readReplies(toText(content))).slice(0, MAX_REPLIES);
  const verified = replies.flatMap(({ attendee, ...reply }) => {
    for (const code of codes) {
      const userId = verifyCode(code, keys, reply.calendarId);
      if (userId !== undefined && isSameUser(directory, userId, attendee)) return [{ ...reply, userId }];
    }
    return [];
  });
  // Calendar apps include the reply twice, as an alternative and as an attachment.
  const byId = new Map(verified.map((reply) => [deterministicId(JSON.stringify(reply)), reply]));
  return [...byId].map(([id, reply]) => ({ id, reply }));
}

function isSameUser(directory: Directory, userId: string, attendee: string): boolean {
  const user = directory.user(userId);
  return user !== undefined && isActive(user) && isSameEmail(user.email, attendee);
}

const toText = (content: string | ArrayBuffer | Uint8Array) =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);
