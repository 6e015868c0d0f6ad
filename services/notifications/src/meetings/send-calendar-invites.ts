import type { EventOf } from '@atrium/proto-events/event';
import type { CalendarObject } from '@atrium/proto-events/events/meeting-calendar';
import { meetingCancelled, type meetingScheduled, type meetingUpdated } from '@atrium/proto-events/events/meetings';
import type { Deps } from '../deps.ts';
import type { Mailing } from '../email/queue-mails.ts';
import { notifyPeople } from '../notifications/notify-people.ts';
import { calendarMails } from './calendar-mails.ts';
import { type CalendarNews, calendarNews, type EndedFor, endedOf, isCancellation, KIND } from './calendar-updates.ts';

type MeetingEvent =
  | EventOf<typeof meetingScheduled>
  | EventOf<typeof meetingUpdated>
  | EventOf<typeof meetingCancelled>;

const AT_ONCE = 20;

type Told = {
  removedIds?: readonly string[];
  changed?: readonly string[];
  rsvpReset?: boolean;
  truncatedFor?: EndedFor;
  /** The kind of what the organiser is told, who gets no mail; undefined for nothing. */
  organizerIs: string | undefined;
  /** Where the meeting has been cancelled since. */
  onlyFarewells?: boolean;
};

/** Tells everybody what is different about the meetings that they are or were invited to, in mails and in the app. */
export async function sendCalendarInvites(deps: Deps, event: MeetingEvent, told: Told): Promise<void> {
  const { data } = event;
  const all = newsOf(event, told);
  const news = told.onlyFarewells ? all.filter((one) => isCancellation(one.news)) : all;
  const subject = { resource: 'meeting', id: data.meetingId, title: data.title };
  const subjectId = ({ entries: [entry] }: CalendarNews) => entry?.meetingId ?? data.meetingId;
  const invited = new Set(
    news.filter((one) => one.news === 'invited').flatMap((one) => one.toIds.map((id) => `${id}:${subjectId(one)}`)),
  );
  for (const one of news) {
    const { toIds, entries, ended } = one;
    const [entry] = entries;
    if (!entry) continue;
    const own = { ...subject, id: subjectId(one), title: entry.title };
    // Who leaves a series and is invited to the very date that it is named by is still invited to that.
    const personIds = isCancellation(one.news) ? toIds.filter((id) => !invited.has(`${id}:${own.id}`)) : toIds;
    await notifyPeople(deps, { event, kind: KIND[ended?.as ?? one.news], subject: own, personIds, from: ended?.from });
  }
  if (told.organizerIs !== undefined) {
    const ended = endedOf(told.truncatedFor, data.organizerId);
    const kind = ended ? KIND[ended.as] : told.organizerIs;
    await notifyPeople(deps, { event, kind, subject, personIds: [data.organizerId], from: ended?.from });
  }
  const mails = await mailsFor(deps, event, { ...told, news });
  // Who leaves a series may be invited to one of its meetings: that comes behind.
  const cancels = ({ calendar }: Mailing) => calendar?.method === 'CANCEL';
  await queueAll(deps, mails.filter(cancels));
  await queueAll(
    deps,
    mails.filter((mail) => !cancels(mail)),
  );
}

/** Hundreds, where each person has a mail of their own. */
async function queueAll(deps: Deps, mails: readonly Mailing[]): Promise<void> {
  for (let from = 0; from < mails.length; from += AT_ONCE) {
    await Promise.all(mails.slice(from, from + AT_ONCE).map((mailing) => deps.queueMails(mailing)));
  }
}

/** The mails that follow from an event with its calendar; they are made of that alone and of names. */
export function mailsOf(
  deps: Pick<Deps, 'directory' | 'mailAddress'>,
  event: MeetingEvent,
  told: Omit<Told, 'organizerIs'>,
) {
  return mailsFor(deps, event, { ...told, news: newsOf(event, told) });
}

function mailsFor(
  deps: Pick<Deps, 'directory' | 'mailAddress'>,
  event: MeetingEvent,
  { news, changed = [], rsvpReset = false }: Pick<Told, 'changed' | 'rsvpReset'> & { news: readonly CalendarNews[] },
) {
  const { calendar, calendarBefore } = calendarsOf(event);
  const timezone = (calendar ?? calendarBefore)?.timezone ?? event.data.timezone;
  return calendarMails(deps, event, { news, timezone, changed, rsvpReset });
}

function newsOf(
  event: MeetingEvent,
  { removedIds = [], truncatedFor }: Pick<Told, 'removedIds' | 'truncatedFor'>,
): CalendarNews[] {
  const { occurredAt } = event;
  const { organizerId } = event.data;
  const hasNewOrganizer = 'previousOrganizerId' in event.data && event.data.previousOrganizerId !== undefined;
  return event.type === meetingCancelled.type
    ? [cancellation(event)]
    : calendarNews({ ...calendarsOf(event), removedIds, organizerId, truncatedFor, hasNewOrganizer, occurredAt });
}

/** How the calendar was before, and how it is now. */
const calendarsOf = ({ data }: MeetingEvent): Record<'calendar' | 'calendarBefore', CalendarObject | undefined> => ({
  calendar: 'calendar' in data ? data.calendar : undefined,
  calendarBefore: 'calendarBefore' in data ? data.calendarBefore : undefined,
});

/** The facts of a cancellation are those of what is cancelled, for those whom it names. */
function cancellation(event: MeetingEvent): CalendarNews {
  const { data } = event;
  const { recurrenceId, meetingId } = data;
  const excludedStarts = calendarsOf(event).calendarBefore?.master?.excludedStarts ?? [];
  return {
    news: 'cancelled',
    toIds: data.participantIds.filter((id) => id !== data.organizerId),
    entries: [{ ...data, recurrenceId, meetingId, excludedStarts, answers: [] }],
    part: undefined,
    before: undefined,
    ended: undefined,
  };
}
