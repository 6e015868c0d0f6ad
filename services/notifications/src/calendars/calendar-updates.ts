import { createHash } from 'node:crypto';
import { type CalendarSlice, type Entry, personalCalendar, WHOLE_SERIES } from '@atrium/calendar/personal-calendar';
import type { EventOf } from '@atrium/proto-events/event';
import type { CalendarObject } from '@atrium/proto-events/events/meeting-calendar';
import { meetingCancelled, meetingScheduled, meetingUpdated } from '@atrium/proto-events/events/meetings';
import { isCancellation, type MeetingContent } from '../email/templates/email-content.ts';

type CalendarUpdateType = MeetingContent['type'];

/** The series and each occurrence with separate guests are parts of one calendar. Cancellations are sent immediately. */
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

export type CalendarUpdate = {
  type: CalendarUpdateType;
  toIds: string[];
  /** The first entry is the subject of the email. */
  entries: Entry[];
  /** Distinguishes several updates of one kind from one event. Derived from the event only, so that it is stable across redeliveries. */
  part: string | undefined;
  before: Entry | undefined;
  ended: MeetingContent['ended'];
};

type EndedFor = EventOf<typeof meetingUpdated>['data']['truncatedFor'];

type Change = {
  calendarBefore: CalendarObject | undefined;
  calendar: CalendarObject | undefined;
  removedIds: readonly string[];
  organizerId: string;
  truncatedFor: EndedFor;
  /** The organizer is not part of the calendar entries. */
  hasNewOrganizer: boolean;
  occurredAt: string;
};

/**
 * Determines who receives which update, so that every calendar shows the meetings its owner is invited to. Cancellations come first,
 * because a user who is removed from a series may be invited to one of its occurrences by the same change.
 */
export function diffCalendars(change: Change): CalendarUpdate[] {
  const [before, after] = [personalCalendar(change.calendarBefore), personalCalendar(change.calendar)];
  const groups = new Map<string, CalendarUpdate>();
  const add = (personId: string, type: CalendarUpdateType, slice: CalendarSlice, was?: CalendarSlice) => {
    const part = partOf(slice, { isSingleMeeting: change.calendar?.master === null });
    const ended =
      type === 'updated' && slice.name === WHOLE_SERIES ? endedOf(change.truncatedFor, personId) : undefined;
    const key = JSON.stringify([type, part, ended]);
    const group = groups.get(key);
    if (group) group.toIds.push(personId);
    else groups.set(key, { type, toIds: [personId], entries: slice.entries, part, before: was?.entries[0], ended });
  };
  for (const personId of new Set([...before.userIds, ...after.userIds])) {
    // Calendar apps reject invitations from the user to themselves.
    if (personId === change.organizerId) continue;
    const [previousSlices, slices] = [before.slicesFor(personId), after.slicesFor(personId)];
    const removal = change.removedIds.includes(personId) ? 'removed' : 'cancelled';
    // An invitation to the whole series replaces those to single occurrences.
    if (!slices.has(WHOLE_SERIES))
      for (const [name, slice] of previousSlices) if (!slices.has(name)) add(personId, removal, slice);
    for (const [name, slice] of slices) {
      const previous = previousSlices.get(name);
      // Users who are removed from a series remain guests of its past occurrences; no invitations are sent for those.
      if (!previous && isPastDate(slice, change.occurredAt)) continue;
      if (!previous) add(personId, 'invited', slice);
      else if (previous.fingerprint !== slice.fingerprint || change.hasNewOrganizer)
        add(personId, 'updated', slice, previous);
    }
  }
  return [...groups.values()].toSorted((a, b) => Number(isCancellation(b.type)) - Number(isCancellation(a.type)));
}

export function endedOf(truncatedFor: EndedFor, personId: string): MeetingContent['ended'] {
  return truncatedFor?.personIds.includes(personId) ? { from: truncatedFor.from, as: truncatedFor.as } : undefined;
}

const isPastDate = ({ name, entries: [first] }: CalendarSlice, at: string) =>
  name !== WHOLE_SERIES && first !== undefined && Date.parse(first.endTime) <= Date.parse(at);

function partOf(
  { name, entries }: CalendarSlice,
  { isSingleMeeting }: { isSingleMeeting: boolean },
): string | undefined {
  const [first] = entries;
  if (name !== WHOLE_SERIES) return isSingleMeeting ? undefined : (first?.meetingId ?? undefined);
  if (!first || first.excludedStarts.length === 0) return undefined;
  return createHash('sha256').update(first.excludedStarts.join()).digest('hex').slice(0, 16);
}
