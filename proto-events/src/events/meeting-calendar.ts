import { z } from 'zod';
import { id, time } from '../fields.ts';
import { seriesRule } from '../recurrence-schemas.ts';

const answer = z.object({ userId: id, status: z.enum(['pending', 'accepted', 'declined', 'tentative']) });

const entry = z.object({
  startTime: time,
  endTime: time,
  timezone: z.string(),
  title: z.string(),
  description: z.string(),
  agenda: z.string(),
  location: z.string(),
  meetingLink: z.string(),
  /** The organiser among them. */
  participantIds: z.array(id),
  /** Who is not named has not answered; the organiser never is. */
  answers: z.array(answer),
});

/**
 * A meeting or a series as calendars are to hold it (RFC 5545): the rule, what does not take place, the occurrences that differ, and
 * who has answered what. Each person's calendar is a part of it: the meetings that they are invited to.
 */
export const calendarObject = z.object({
  /** The zone in which the rule repeats, and in which occurrences are named. */
  timezone: z.string(),
  /** The meeting, or what the rule gives of a series; null where a single occurrence of a series is told of alone. */
  master: entry
    .extend({
      recurrence: seriesRule.nullable(),
      excludedStarts: z.array(time).describe('Starts that the rule gives and that were cancelled alone'),
    })
    .nullable(),
  /** What differs from the master, each under the start that the rule gives it (RECURRENCE-ID); what is absent is as there. */
  occurrences: z.array(entry.partial().extend({ meetingId: id, recurrenceId: time })),
});
export type CalendarObject = z.infer<typeof calendarObject>;
export type CalendarEntry = z.infer<typeof entry>;
export type Occurrence = CalendarEntry & { meetingId: string; recurrenceId: string };

/**
 * Set where the occurrences and excluded starts of an event's calendars were published before it, in so many parts
 * (`meetings.calendar.attached`).
 */
export const calendarParts = z.object({ changeId: id, count: z.int().min(1) }).optional();

/** The occurrences that differ, each with all of its facts. */
export function expandOccurrences({ master, occurrences }: CalendarObject): Occurrence[] {
  return occurrences.flatMap((one) => {
    const whole = { ...master, ...one, answers: answersOf(master?.answers ?? [], one.answers ?? []) };
    return isWhole(whole) ? [whole] : [];
  });
}

/** An occurrence without a master has everything itself. */
const isWhole = (one: CalendarObject['occurrences'][number]): one is Occurrence =>
  Object.keys(entry.shape).every((field) => field in one);

/** Of an occurrence only the answers that differ are told. */
function answersOf(ofMaster: CalendarEntry['answers'], own: CalendarEntry['answers']): CalendarEntry['answers'] {
  const answers = new Map([...ofMaster, ...own].map(({ userId, status }) => [userId, status]));
  return [...answers].flatMap(([userId, status]) => (status === 'pending' ? [] : [{ userId, status }]));
}
