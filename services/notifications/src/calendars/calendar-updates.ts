import { createHash } from 'node:crypto';
import { type CalendarSlice, type Entry, MASTER, personalCalendar } from '@atrium/calendar/personal-calendar';
import type { EventOf } from '@atrium/proto-events/event';
import type { CalendarObject } from '@atrium/proto-events/events/meeting-calendar';
import { meetingCancelled, meetingScheduled, meetingUpdated } from '@atrium/proto-events/events/meetings';
import type { NoticeKind, NoticeReason } from '@atrium/proto-events/notices/kinds';
import { isCancellation, type MeetingContent } from '../email/templates/email-content.ts';
import type { Notice } from '../notifications/notices.ts';

type CalendarUpdateType = MeetingContent['type'];

/**
 * The series and each occurrence with separate guests are parts of one calendar. Cancellations are sent immediately.
 */
export const meetingTopic = ({ calendarId, recurrenceId, type }: MeetingPart) => ({
  id: `meeting:${calendarId}`,
  part: recurrenceId ?? '',
  isUrgent: type === 'cancelled',
});

type MeetingPart = { calendarId: string; recurrenceId: string | null; type: CalendarUpdateType };

export const NOTIFICATION_KINDS: Record<CalendarUpdateType, string> = {
  invited: meetingScheduled.type,
  updated: meetingUpdated.type,
  removed: 'meetings.participant.removed',
  cancelled: meetingCancelled.type,
};

const NOTICE_KINDS: Record<CalendarUpdateType, NoticeKind> = {
  invited: 'meeting_invitation',
  updated: 'meeting_change',
  removed: 'meeting_cancellation',
  cancelled: 'meeting_cancellation',
};

export const toNotice = (type: CalendarUpdateType, reason: NoticeReason = 'participant'): Notice => ({
  kind: NOTICE_KINDS[type],
  reason,
});

export type CalendarUpdate = {
  type: CalendarUpdateType;
  recipientIds: string[];
  /** The first entry is the subject of the email. */
  entries: Entry[];
  /**
   * Distinguishes several updates of one kind from one event. Derived from the event only, so that it is stable across
   * redeliveries.
   */
  variant: string | undefined;
  previousEntry: Entry | undefined;
  /** Set if the series was truncated for the recipients. */
  ended: MeetingContent['ended'];
};

type TruncatedFor = EventOf<typeof meetingUpdated>['data']['truncatedFor'];

type Change = {
  calendarBefore: CalendarObject | undefined;
  calendar: CalendarObject | undefined;
  removedIds: readonly string[];
  organizerId: string;
  truncatedFor: TruncatedFor;
  /** The organizer is not part of the calendar entries. */
  hasNewOrganizer: boolean;
  occurredAt: string;
};

/**
 * Determines who receives which update, so that every calendar shows the meetings its owner is invited to.
 * Cancellations come first, because a user who is removed from a series may be invited to one of its occurrences by the
 * same change.
 */
export function diffCalendars(change: Change): CalendarUpdate[] {
  const before = personalCalendar(change.calendarBefore);
  const after = personalCalendar(change.calendar);
  const groups = new Map<string, CalendarUpdate>();
  const addRecipient = (
    userId: string,
    type: CalendarUpdateType,
    slice: CalendarSlice,
    previousSlice?: CalendarSlice,
  ) => {
    const variant = getVariant(slice, { isSingleMeeting: change.calendar?.master === null });
    const ended = type === 'updated' && slice.name === MASTER ? getTruncation(change.truncatedFor, userId) : undefined;
    const key = JSON.stringify([type, variant, ended]);
    const group = groups.get(key);
    if (group) group.recipientIds.push(userId);
    else
      groups.set(key, {
        type,
        recipientIds: [userId],
        entries: slice.entries,
        variant,
        previousEntry: previousSlice?.entries[0],
        ended,
      });
  };
  for (const userId of new Set([...before.userIds, ...after.userIds])) {
    // Calendar apps reject invitations from the user to themselves.
    if (userId === change.organizerId) continue;
    const previousSlices = before.slicesFor(userId);
    const slices = after.slicesFor(userId);
    const removalType = change.removedIds.includes(userId) ? 'removed' : 'cancelled';
    // An invitation to the whole series replaces invitations to single occurrences.
    if (!slices.has(MASTER))
      for (const [name, slice] of previousSlices) if (!slices.has(name)) addRecipient(userId, removalType, slice);
    for (const [name, slice] of slices) {
      const previous = previousSlices.get(name);
      // Users who are removed from a series remain guests of its past occurrences; no invitations are sent for those.
      if (!previous && isPastOccurrence(slice, change.occurredAt)) continue;
      if (!previous) addRecipient(userId, 'invited', slice);
      else if (previous.fingerprint !== slice.fingerprint || change.hasNewOrganizer)
        addRecipient(userId, 'updated', slice, previous);
    }
  }
  return [...groups.values()].toSorted((a, b) => Number(isCancellation(b.type)) - Number(isCancellation(a.type)));
}

/** Returns from when, and as what, the series ended for this user; undefined if it continues. */
export function getTruncation(truncatedFor: TruncatedFor, userId: string): MeetingContent['ended'] {
  return truncatedFor?.personIds.includes(userId) ? { from: truncatedFor.from, as: truncatedFor.as } : undefined;
}

const isPastOccurrence = ({ name, entries: [first] }: CalendarSlice, at: string) =>
  name !== MASTER && first !== undefined && Date.parse(first.endTime) <= Date.parse(at);

function getVariant(
  { name, entries }: CalendarSlice,
  { isSingleMeeting }: { isSingleMeeting: boolean },
): string | undefined {
  const [first] = entries;
  if (name !== MASTER) return isSingleMeeting ? undefined : (first?.meetingId ?? undefined);
  if (!first || first.excludedStarts.length === 0) return undefined;
  return createHash('sha256').update(first.excludedStarts.join()).digest('hex').slice(0, 16);
}
