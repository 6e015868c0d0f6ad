import type { EventOf } from '@atrium/proto-events/event';
import type { CalendarObject } from '@atrium/proto-events/events/meeting-calendar';
import { meetingCancelled, type meetingScheduled, type meetingUpdated } from '@atrium/proto-events/events/meetings';
import { meetingSubject } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import type { Mailing } from '../email/queue-emails.ts';
import { isCancellation, type MeetingContent } from '../email/templates/email-content.ts';
import { toMeetingLevelId } from '../notifications/notices.ts';
import { notifyUsers, withdrawNotifications } from '../notifications/notify-users.ts';
import { anyOf } from '../store/store.ts';
import { createCalendarEmails } from './calendar-emails.ts';
import {
  type CalendarUpdate,
  diffCalendars,
  getTruncation,
  meetingTopic,
  NOTIFICATION_KINDS,
  toNotice,
} from './calendar-updates.ts';

type MeetingEvent =
  | EventOf<typeof meetingScheduled>
  | EventOf<typeof meetingUpdated>
  | EventOf<typeof meetingCancelled>;

const BATCH_SIZE = 20;

type SendInvitesOptions = {
  /** The kind of notification for the organizer, who gets no email; undefined for none. */
  organizerType: CalendarUpdate['type'] | undefined;
  onlyCancellations?: boolean;
};

export async function sendCalendarInvites(
  deps: Deps,
  event: MeetingEvent,
  { organizerType, onlyCancellations = false }: SendInvitesOptions,
): Promise<void> {
  const { data } = event;
  const updates = toCalendarUpdates(event).filter(({ type }) => !onlyCancellations || isCancellation(type));
  const subject = meetingSubject(data);
  const levelId = toMeetingLevelId(data);
  const getSubjectId = ({ entries: [entry] }: CalendarUpdate) => entry?.meetingId ?? data.meetingId;
  const invitedKeys = new Set(
    updates
      .filter(({ type }) => type === 'invited')
      .flatMap((update) => update.recipientIds.map((id) => `${id}:${getSubjectId(update)}`)),
  );
  for (const update of updates) {
    const { recipientIds, entries, ended } = update;
    const [entry] = entries;
    if (!entry) continue;
    const updateSubject = { ...subject, id: getSubjectId(update), title: entry.title };
    // A user who is removed from a series but invited to the occurrence named by the event is still invited to that
    // occurrence.
    const userIds = isCancellation(update.type)
      ? recipientIds.filter((id) => !invitedKeys.has(`${id}:${updateSubject.id}`))
      : recipientIds;
    if (isCancellation(update.type) && !ended)
      await withdrawInvitations(deps, event, { subjectId: updateSubject.id, userIds });
    await notifyUsers(deps, {
      event,
      kind: NOTIFICATION_KINDS[ended?.as ?? update.type],
      notice: { ...toNotice(ended?.as ?? update.type), levelId },
      email: 'own',
      subject: updateSubject,
      userIds,
      ...toNotificationDetails(ended),
    });
  }
  if (organizerType !== undefined) {
    const ended = getTruncation(getChanges(event).truncatedFor, data.organizerId);
    const type = ended?.as ?? organizerType;
    await notifyUsers(deps, {
      event,
      kind: NOTIFICATION_KINDS[type],
      notice: { ...toNotice(type, 'organizer'), levelId },
      email: 'none',
      subject,
      userIds: [data.organizerId],
      ...toNotificationDetails(ended),
    });
  }
  await retractEmails(deps, event, updates);
  const emails = await buildEmails(deps, event, updates);
  // A user who is removed from a series may be invited to one of its occurrences: cancellations come first.
  const isCancellationEmail = ({ calendar }: Mailing) => calendar?.method === 'CANCEL';
  await queueAll(deps, emails.filter(isCancellationEmail));
  await queueAll(
    deps,
    emails.filter((email) => !isCancellationEmail(email)),
  );
}

type Recipients = { subjectId: string; userIds: readonly string[] };

/** Those that have not been read, because their meeting can no longer be opened. */
async function withdrawInvitations(
  deps: Deps,
  { id, occurredAt }: MeetingEvent,
  { subjectId, userIds }: Recipients,
): Promise<void> {
  if (userIds.length === 0) return;
  const kind = { $in: [NOTIFICATION_KINDS.invited, NOTIFICATION_KINDS.updated] };
  const createdAt = { $lt: new Date(occurredAt) };
  await withdrawNotifications(deps, {
    eventId: id,
    subjectId,
    filter: { subjectId, kind, personId: anyOf(userIds), createdAt, read: false },
  });
}

/** Earlier emails are not sent anymore, even to recipients who get no email about the cancellation. */
async function retractEmails(
  { store }: Deps,
  { data: { calendarId }, occurredAt }: MeetingEvent,
  updates: readonly CalendarUpdate[],
): Promise<void> {
  for (const { type, recipientIds, entries } of updates) {
    const [entry] = entries;
    if (!entry || !isCancellation(type)) continue;
    const { recurrenceId } = entry;
    const { id: topic, part } = meetingTopic({ calendarId, recurrenceId, type });
    const earlier = { state: 'queued', occurredAt: { $lt: new Date(occurredAt) } } as const;
    // A whole series includes its occurrences.
    const filter = { topic, recipientId: { $in: recipientIds }, ...(recurrenceId !== null && { part }), ...earlier };
    await store.emails.updateMany(filter, { $set: { isRetracted: true } });
  }
}

const toNotificationDetails = (ended: MeetingContent['ended']) => ended && { details: { from: new Date(ended.from) } };

/** Queues in batches, because large meetings have hundreds of separate emails. */
async function queueAll(deps: Deps, mailings: readonly Mailing[]): Promise<void> {
  for (let from = 0; from < mailings.length; from += BATCH_SIZE) {
    await Promise.all(mailings.slice(from, from + BATCH_SIZE).map((mailing) => deps.queueEmails(mailing)));
  }
}

/** Builds the emails of an event from its calendars and the directory only. */
export const buildCalendarEmails = (deps: Pick<Deps, 'directory' | 'senderAddress'>, event: MeetingEvent) =>
  buildEmails(deps, event, toCalendarUpdates(event));

function buildEmails(
  deps: Pick<Deps, 'directory' | 'senderAddress'>,
  event: MeetingEvent,
  updates: readonly CalendarUpdate[],
) {
  const { calendar, calendarBefore } = getCalendars(event);
  const timezone = (calendar ?? calendarBefore)?.timezone ?? event.data.timezone;
  const { changed, rsvpReset } = getChanges(event);
  return createCalendarEmails(deps, event, { updates, timezone, changed, rsvpReset });
}

const NO_CHANGES = { removedIds: [], changed: [], rsvpReset: false, truncatedFor: undefined };

const getChanges = ({ data }: MeetingEvent) => ('removedIds' in data ? data : NO_CHANGES);

function toCalendarUpdates(event: MeetingEvent): CalendarUpdate[] {
  if (event.type === meetingCancelled.type) return [toCancellationUpdate(event)];
  const { removedIds, truncatedFor } = getChanges(event);
  const { occurredAt } = event;
  const { organizerId } = event.data;
  const hasNewOrganizer = 'previousOrganizerId' in event.data && event.data.previousOrganizerId !== undefined;
  return diffCalendars({ ...getCalendars(event), removedIds, organizerId, truncatedFor, hasNewOrganizer, occurredAt });
}

const getCalendars = ({ data }: MeetingEvent): Record<'calendar' | 'calendarBefore', CalendarObject | undefined> => ({
  calendar: 'calendar' in data ? data.calendar : undefined,
  calendarBefore: 'calendarBefore' in data ? data.calendarBefore : undefined,
});

function toCancellationUpdate(event: MeetingEvent): CalendarUpdate {
  const { data } = event;
  const { recurrenceId, meetingId } = data;
  const excludedStarts = getCalendars(event).calendarBefore?.master?.excludedStarts ?? [];
  return {
    type: 'cancelled',
    recipientIds: data.participantIds.filter((id) => id !== data.organizerId),
    entries: [{ ...data, recurrenceId, meetingId, excludedStarts, answers: [] }],
    variant: undefined,
    previousEntry: undefined,
    ended: undefined,
  };
}
