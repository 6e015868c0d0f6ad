import { readReplies } from '@atrium/calendar/calendar-reply';
import type { EventOf } from '@atrium/proto-events/event';
import type { meetingReplied } from '@atrium/proto-events/events/notifications';
import { isSameEmail } from '@atrium/proto-events/text/email';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { Email } from 'postal-mime';
import type { SignedTarget } from '../email/reply-address.ts';

type Rsvp = EventOf<typeof meetingReplied>['data'];

/** The id does not depend on the reader. */
export type IdentifiedRsvp = { id: string; rsvp: Rsvp };

/** Calendar apps send one RSVP, or a few for a series. Crafted emails may contain thousands. */
const MAX_RSVPS = 20;
const CALENDAR_TYPES = new Set(['text/calendar', 'application/ics']);

export const isCalendar = ({ mimeType }: Email['attachments'][number]): boolean => CALENDAR_TYPES.has(mimeType);

/** Extracts the RSVPs whose meeting and attendee are those of a reply address. */
export function readRsvps(
  { attachments }: Email,
  targets: readonly SignedTarget[],
  directory: Pick<Directory, 'user'>,
): IdentifiedRsvp[] {
  const replies = attachments
    .filter(isCalendar)
    .flatMap(({ content }) => readReplies(toText(content)))
    .slice(0, MAX_RSVPS);
  const verified = replies.flatMap(({ attendee, ...reply }) => {
    const target = targets.find(
      ({ kind, id, userId }) =>
        kind === 'calendar' && id === reply.calendarId && isSameUser(directory, userId, attendee),
    );
    return target ? [{ ...reply, userId: target.userId }] : [];
  });
  // Calendar apps include the reply twice, as an alternative and as an attachment.
  const byId = new Map(verified.map((rsvp) => [deterministicId(JSON.stringify(rsvp)), rsvp]));
  return [...byId].map(([id, rsvp]) => ({ id, rsvp }));
}

function isSameUser(directory: Pick<Directory, 'user'>, userId: string, attendee: string): boolean {
  const user = directory.user(userId);
  return user !== undefined && isActive(user) && isSameEmail(user.email, attendee);
}

const toText = (content: string | ArrayBuffer | Uint8Array) =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);
