import { createHash } from 'node:crypto';
import { type CalendarSlice, type Entry, personalCalendar, WHOLE } from '@atrium/calendar/personal-calendar';
import type { EventOf } from '@atrium/proto-events/event';
import type { CalendarObject } from '@atrium/proto-events/events/meeting-calendar';
import { meetingCancelled, meetingScheduled, meetingUpdated } from '@atrium/proto-events/events/meetings';
import type { MeetingContent } from '../email/mail-content.ts';

/** Of something that they were invited to and are no longer. */
export const isCancellation = (news: CalendarNews['news']): boolean => news === 'removed' || news === 'cancelled';

/** A calendar is kept by its id; the series and each date that is invited to alone are parts of it. A cancellation leaves immediately. */
export const meetingTopic = ({ calendarId, recurrenceId, news }: MeetingPart) => ({
  id: `meeting:${calendarId}`,
  part: recurrenceId ?? '',
  isUrgent: news === 'cancelled',
});

type MeetingPart = { calendarId: string; recurrenceId: string | null; news: MeetingContent['news'] };

/** As what people are told of it in the app. */
export const KIND: Record<MeetingContent['news'], string> = {
  invited: meetingScheduled.type,
  updated: meetingUpdated.type,
  removed: 'meetings.participant.removed',
  cancelled: meetingCancelled.type,
};

/** What a group of people is told, by one and the same calendar. */
export type CalendarNews = {
  news: MeetingContent['news'];
  toIds: string[];
  /** The first is what the letter is about. */
  entries: Entry[];
  /** Tells news of one kind apart that one event brings; from the event alone, so that it is the same when that comes again. */
  part: string | undefined;
  /** What was there before, where it is changed. */
  before: Entry | undefined;
  /** Of a series that goes on to here and no further for them. */
  ended: MeetingContent['ended'];
};

export type EndedFor = EventOf<typeof meetingUpdated>['data']['truncatedFor'];

type Change = {
  calendarBefore: CalendarObject | undefined;
  calendar: CalendarObject | undefined;
  removedIds: readonly string[];
  organizerId: string;
  truncatedFor: EndedFor;
  /** Calendars name the organizer, who is no part of a calendar's entries. */
  hasNewOrganizer: boolean;
  /** When it was changed. */
  occurredAt: string;
};

/**
 * Who has to be told what, so that everybody's calendar shows the meetings that they are invited to. Farewells come first: they hold what
 * was known before, and who is removed from a series may be invited to one of its meetings by the same change.
 */
export function calendarNews(change: Change): CalendarNews[] {
  const [before, after] = [personalCalendar(change.calendarBefore), personalCalendar(change.calendar)];
  const groups = new Map<string, CalendarNews>();
  const tell = (personId: string, news: CalendarNews['news'], unit: CalendarSlice, was?: CalendarSlice) => {
    const part = partOf(unit, { isOfOne: change.calendar?.master === null });
    const ended = news === 'updated' && unit.name === WHOLE ? endedOf(change.truncatedFor, personId) : undefined;
    const key = JSON.stringify([news, part, ended]);
    const group = groups.get(key);
    if (group) group.toIds.push(personId);
    else groups.set(key, { news, toIds: [personId], entries: unit.entries, part, before: was?.entries[0], ended });
  };
  for (const personId of new Set([...before.people, ...after.people])) {
    // Their own calendar program would refuse an invitation of their own.
    if (personId === change.organizerId) continue;
    const [had, has] = [before.slicesFor(personId), after.slicesFor(personId)];
    const farewell = change.removedIds.includes(personId) ? 'removed' : 'cancelled';
    // A whole series takes the place of its single meetings.
    if (!has.has(WHOLE)) for (const [name, unit] of had) if (!has.has(name)) tell(personId, farewell, unit);
    for (const [name, unit] of has) {
      const was = had.get(name);
      // Who is taken out of a series stays a guest of its past dates, to which nobody is invited any more.
      if (!was && isPastDate(unit, change.occurredAt)) continue;
      if (!was) tell(personId, 'invited', unit);
      else if (was.look !== unit.look || change.hasNewOrganizer) tell(personId, 'updated', unit, was);
    }
  }
  return [...groups.values()].toSorted(
    (one, other) => Number(isCancellation(other.news)) - Number(isCancellation(one.news)),
  );
}

/** What the end of a series is for this person; undefined where its dates go on for them. */
export function endedOf(truncatedFor: EndedFor, personId: string): MeetingContent['ended'] {
  return truncatedFor?.personIds.includes(personId) ? { from: truncatedFor.from, as: truncatedFor.as } : undefined;
}

const isPastDate = ({ name, entries: [first] }: CalendarSlice, at: string) =>
  name !== WHOLE && first !== undefined && Date.parse(first.endTime) <= Date.parse(at);

/** Of a series, which of its meetings are not theirs; of several single meetings, which one. */
function partOf({ name, entries }: CalendarSlice, { isOfOne }: { isOfOne: boolean }): string | undefined {
  const [first] = entries;
  if (name !== WHOLE) return isOfOne ? undefined : (first?.meetingId ?? undefined);
  if (!first || first.excludedStarts.length === 0) return undefined;
  return createHash('sha256').update(first.excludedStarts.join()).digest('hex').slice(0, 16);
}
