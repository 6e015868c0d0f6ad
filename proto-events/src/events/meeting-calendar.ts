import { z } from 'zod';
import { id, time } from '../fields.ts';
import { seriesRule } from '../recurrence/schemas.ts';

const rsvp = z.object({ userId: id, status: z.enum(['pending', 'accepted', 'declined', 'tentative']) });

const entry = z.object({
  startTime: time,
  endTime: time,
  timezone: z.string(),
  title: z.string(),
  description: z.string(),
  agenda: z.string(),
  location: z.string(),
  meetingLink: z.string(),
  /** Includes the organizer. */
  participantIds: z.array(id),
  /** RSVPs. Users without one have not responded; the organizer never has one. */
  answers: z.array(rsvp),
});

/**
 * A meeting or a series as calendars represent it (RFC 5545): the rule, excluded starts, occurrences that differ, and
 * RSVPs. Each user's calendar contains the part that they are invited to.
 */
export const calendarObject = z.object({
  /** The zone of the rule and of the original starts. */
  timezone: z.string(),
  /** The meeting, or the defaults of a series; null if the event is about a single occurrence of a series. */
  master: entry
    .extend({
      recurrence: seriesRule.nullable(),
      excludedStarts: z.array(time).describe('Starts of occurrences that were canceled individually (EXDATE)'),
    })
    .nullable(),
  /**
   * Occurrences that differ from the master, each by its original start (RECURRENCE-ID); absent fields are inherited.
   */
  occurrences: z.array(entry.partial().extend({ meetingId: id, recurrenceId: time })),
});
export type CalendarObject = z.infer<typeof calendarObject>;
export type CalendarEntry = z.infer<typeof entry>;
export type Occurrence = CalendarEntry & { meetingId: string; recurrenceId: string };

/**
 * Set if the occurrences and excluded starts were published before the event, in this many parts
 * (`meetings.calendar.attached`).
 */
export const calendarParts = z.object({ changeId: id, count: z.int().min(1) }).optional();

/** Returns the occurrences that differ, each with all fields. */
export function expandOccurrences({ master, occurrences }: CalendarObject): Occurrence[] {
  return occurrences.flatMap((occurrence) => {
    const rsvps = mergeRsvps(master?.answers ?? [], occurrence.answers ?? []);
    const expanded = { ...master, ...occurrence, answers: rsvps };
    return hasAllFields(expanded) ? [expanded] : [];
  });
}

/** Whether nothing is missing. An occurrence without a master has all fields itself. */
const hasAllFields = (occurrence: CalendarObject['occurrences'][number]): occurrence is Occurrence =>
  Object.keys(entry.shape).every((field) => field in occurrence);

/** Adds the RSVPs to the series, since occurrences list only those that differ. */
function mergeRsvps(
  masterRsvps: CalendarEntry['answers'],
  ownRsvps: CalendarEntry['answers'],
): CalendarEntry['answers'] {
  const statusByUser = new Map([...masterRsvps, ...ownRsvps].map(({ userId, status }) => [userId, status]));
  return [...statusByUser].flatMap(([userId, status]) => (status === 'pending' ? [] : [{ userId, status }]));
}
