import type { EventOf } from '@atrium/proto-events/event';
import type { CalendarObject } from '@atrium/proto-events/events/meeting-calendar';
import { meetingCancelled, type meetingScheduled, type meetingUpdated } from '@atrium/proto-events/events/meetings';
import { aboutMeeting } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import type { Mailing } from '../email/queue-emails.ts';
import { isCancellation, type MeetingContent } from '../email/templates/email-content.ts';
import { notifyUsers } from '../notifications/notify-users.ts';
import { calendarEmails } from './calendar-emails.ts';
import { type CalendarUpdate, diffCalendars, endedOf, NOTIFICATION_KINDS } from './calendar-updates.ts';

type MeetingEvent =
  | EventOf<typeof meetingScheduled>
  | EventOf<typeof meetingUpdated>
  | EventOf<typeof meetingCancelled>;

const BATCH_SIZE = 20;

type SendInvitesOptions = {
  /** Notification kind for the organizer, who gets no email; undefined for none. */
  organizerKind: string | undefined;
  onlyCancellations?: boolean;
};

export async function sendCalendarInvites(
  deps: Deps,
  event: MeetingEvent,
  { organizerKind, onlyCancellations = false }: SendInvitesOptions,
): Promise<void> {
  const { data } = event;
  const updates = updatesOf(event).filter(({ type }) => !onlyCancellations || isCancellation(type));
  const subject = aboutMeeting(data);
  const subjectId = ({ entries: [entry] }: CalendarUpdate) => entry?.meetingId ?? data.meetingId;
  const invited = new Set(
    updates
      .filter(({ type }) => type === 'invited')
      .flatMap((update) => update.toIds.map((id) => `${id}:${subjectId(update)}`)),
  );
  for (const update of updates) {
    const { toIds, entries, ended } = update;
    const [entry] = entries;
    if (!entry) continue;
    const updateSubject = { ...subject, id: subjectId(update), title: entry.title };
    // A user who is removed from a series but invited to the occurrence named by the event is still invited to that occurrence.
    const personIds = isCancellation(update.type)
      ? toIds.filter((id) => !invited.has(`${id}:${updateSubject.id}`))
      : toIds;
    await notifyUsers(deps, {
      event,
      kind: NOTIFICATION_KINDS[ended?.as ?? update.type],
      subject: updateSubject,
      personIds,
      ...truncation(ended),
    });
  }
  if (organizerKind !== undefined) {
    const ended = endedOf(changesOf(event).truncatedFor, data.organizerId);
    const kind = ended ? NOTIFICATION_KINDS[ended.as] : organizerKind;
    await notifyUsers(deps, { event, kind, subject, personIds: [data.organizerId], ...truncation(ended) });
  }
  const emails = await buildEmails(deps, event, updates);
  // A user who is removed from a series may be invited to one of its occurrences: cancellations come first.
  const isCancellationEmail = ({ calendar }: Mailing) => calendar?.method === 'CANCEL';
  await queueAll(deps, emails.filter(isCancellationEmail));
  await queueAll(
    deps,
    emails.filter((email) => !isCancellationEmail(email)),
  );
}

const truncation = (ended: MeetingContent['ended']) => ended && { details: { from: new Date(ended.from) } };

/** In batches: large meetings have hundreds of separate emails. */
async function queueAll(deps: Deps, mailings: readonly Mailing[]): Promise<void> {
  for (let from = 0; from < mailings.length; from += BATCH_SIZE) {
    await Promise.all(mailings.slice(from, from + BATCH_SIZE).map((mailing) => deps.queueEmails(mailing)));
  }
}

/** Builds the emails of an event from its calendars and the directory only. */
export const buildCalendarEmails = (deps: Pick<Deps, 'directory' | 'senderAddress'>, event: MeetingEvent) =>
  buildEmails(deps, event, updatesOf(event));

function buildEmails(
  deps: Pick<Deps, 'directory' | 'senderAddress'>,
  event: MeetingEvent,
  updates: readonly CalendarUpdate[],
) {
  const { calendar, calendarBefore } = calendarsOf(event);
  const timezone = (calendar ?? calendarBefore)?.timezone ?? event.data.timezone;
  const { changed, rsvpReset } = changesOf(event);
  return calendarEmails(deps, event, { updates, timezone, changed, rsvpReset });
}

const NO_CHANGES = { removedIds: [], changed: [], rsvpReset: false, truncatedFor: undefined };

const changesOf = ({ data }: MeetingEvent) => ('removedIds' in data ? data : NO_CHANGES);

function updatesOf(event: MeetingEvent): CalendarUpdate[] {
  if (event.type === meetingCancelled.type) return [cancellation(event)];
  const { removedIds, truncatedFor } = changesOf(event);
  const { occurredAt } = event;
  const { organizerId } = event.data;
  const hasNewOrganizer = 'previousOrganizerId' in event.data && event.data.previousOrganizerId !== undefined;
  return diffCalendars({ ...calendarsOf(event), removedIds, organizerId, truncatedFor, hasNewOrganizer, occurredAt });
}

const calendarsOf = ({ data }: MeetingEvent): Record<'calendar' | 'calendarBefore', CalendarObject | undefined> => ({
  calendar: 'calendar' in data ? data.calendar : undefined,
  calendarBefore: 'calendarBefore' in data ? data.calendarBefore : undefined,
});

function cancellation(event: MeetingEvent): CalendarUpdate {
  const { data } = event;
  const { recurrenceId, meetingId } = data;
  const excludedStarts = calendarsOf(event).calendarBefore?.master?.excludedStarts ?? [];
  return {
    type: 'cancelled',
    toIds: data.participantIds.filter((id) => id !== data.organizerId),
    entries: [{ ...data, recurrenceId, meetingId, excludedStarts, answers: [] }],
    part: undefined,
    before: undefined,
    ended: undefined,
  };
}
