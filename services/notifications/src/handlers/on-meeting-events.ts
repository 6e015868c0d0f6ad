import type { EventOf } from '@atrium/proto-events/event';
import type { CalendarObject } from '@atrium/proto-events/events/meeting-calendar';
import { meetingClosed, meetingReopened } from '@atrium/proto-events/events/meeting-closing';
import {
  calendarAttached,
  meetingCancelled,
  meetingResponded,
  meetingScheduled,
  meetingUpdated,
} from '@atrium/proto-events/events/meetings';
import { on } from '@atrium/service-kit/messaging/subscription';
import { cancellationDetails, isMeetingCanceled } from '../activity/known-state.ts';
import { createRecordedHandler, meetingSubject } from '../activity/record-activity.ts';
import { sendCalendarInvites } from '../calendars/send-calendar-invites.ts';
import type { Deps } from '../deps.ts';
import { toMeetingLevelId } from '../notifications/notices.ts';
import { notifyUsers, withdrawNotifications } from '../notifications/notify-users.ts';
import type { CalendarPartRecord } from '../store/records.ts';
import { insertOnce, type Store } from '../store/store.ts';
import { findUsers } from '../users/find-users.ts';
import { retractReminders } from './on-meeting-due.ts';

type Calendars = Pick<EventOf<typeof meetingScheduled>['data'], 'calendarParts'> &
  Partial<Record<CalendarPartRecord['of'], CalendarObject>>;

const toPartId = (changeId: string, index: number) => `${changeId}:${index}`;

async function saveCalendarPart(store: Store, { data }: EventOf<typeof calendarAttached>): Promise<void> {
  const { changeId, index, ...part } = data;
  await insertOnce(store.calendarParts, [{ _id: toPartId(changeId, index), at: new Date(), ...part }]);
}

/**
 * Returns the event with complete calendars. Throws if a part has not arrived yet, so that the event is redelivered.
 */
async function joinCalendarParts<E extends { data: Calendars }>(store: Store, event: E): Promise<E> {
  const { calendar, calendarBefore, calendarParts } = event.data;
  if (!calendarParts) return event;
  const ids = Array.from({ length: calendarParts.count }, (_, index) => toPartId(calendarParts.changeId, index));
  const storedParts = await store.calendarParts.find({ _id: { $in: ids } }).lean<CalendarPartRecord[]>();
  const byId = new Map(storedParts.map((part) => [part._id, part]));
  const parts = ids.map((id) => {
    const part = byId.get(id);
    if (!part) throw new Error(`Calendar part ${id} has not arrived yet`);
    return part;
  });
  return {
    ...event,
    data: {
      ...event.data,
      ...(calendar && { calendar: addParts(calendar, parts, 'calendar') }),
      ...(calendarBefore && { calendarBefore: addParts(calendarBefore, parts, 'calendarBefore') }),
    },
  };
}

function addParts(calendar: CalendarObject, allParts: readonly CalendarPartRecord[], side: CalendarPartRecord['of']) {
  const parts = allParts.filter((part) => part.of === side);
  const { master } = calendar;
  return {
    ...calendar,
    master: master && { ...master, excludedStarts: parts.flatMap(({ excludedStarts }) => excludedStarts) },
    occurrences: parts.flatMap(({ occurrences }) => occurrences),
  };
}

const FIELDS_OUTSIDE_CALENDAR = new Set(['notes', 'summary', 'participants', 'type', 'project']);

const affectsCalendars = (changed: readonly string[]): boolean =>
  changed.some((field) => !FIELDS_OUTSIDE_CALENDAR.has(field));

async function inviteParticipants(deps: Deps, receivedEvent: EventOf<typeof meetingScheduled>): Promise<void> {
  if (await isMeetingCanceled(deps.store, receivedEvent)) return;
  const event = await joinCalendarParts(deps.store, receivedEvent);
  await sendCalendarInvites(deps, event, { organizerType: 'invited' });
}

async function sendMeetingUpdates(deps: Deps, receivedEvent: EventOf<typeof meetingUpdated>): Promise<void> {
  const event = await joinCalendarParts(deps.store, receivedEvent);
  await retractReminders(deps, event);
  // Users who were removed earlier receive only their cancellation.
  const onlyCancellations = await isMeetingCanceled(deps.store, event);
  const isNotified = affectsCalendars(event.data.changed) && !onlyCancellations;
  await sendCalendarInvites(deps, event, { organizerType: isNotified ? 'updated' : undefined, onlyCancellations });
}

async function sendCancellations(deps: Deps, event: EventOf<typeof meetingCancelled>): Promise<void> {
  await retractReminders(deps, event);
  const { isAlone = false } = event.data;
  await sendCalendarInvites(deps, event, { organizerType: isAlone ? undefined : 'cancelled' });
}

async function notifyOrganizer(deps: Deps, event: EventOf<typeof meetingResponded>): Promise<void> {
  await retractReminders(deps, event);
  await notifyUsers(deps, {
    event,
    kind: toRsvpKind(event.data.status),
    notice: { kind: 'meeting_response', reason: 'organizer', levelId: toMeetingLevelId(event.data) },
    subject: meetingSubject(event.data),
    userIds: [event.data.organizerId],
    replacedKinds: RSVP_STATUSES.filter((status) => status !== event.data.status).map(toRsvpKind),
  });
}

/** The actor, who closed the meeting, is not notified. */
async function notifyOfMinutes(deps: Deps, event: EventOf<typeof meetingClosed>): Promise<void> {
  const { summary, decisions, organizerId, participantIds } = event.data;
  if (summary === '' && decisions.length === 0) return;
  const users = await findUsers(deps.directory, [organizerId, ...participantIds]);
  await notifyUsers(deps, {
    event,
    kind: meetingClosed.type,
    notice: { kind: 'meeting_minutes', reason: 'participant', levelId: toMeetingLevelId(event.data) },
    subject: meetingSubject(event.data),
    userIds: users.map(({ _id }) => _id),
  });
}

const withdrawMinutes = (deps: Deps, { id, data: { meetingId } }: EventOf<typeof meetingReopened>) =>
  withdrawNotifications(deps, {
    eventId: id,
    subjectId: meetingId,
    filter: { subjectId: meetingId, kind: meetingClosed.type, read: false },
  });

const RSVP_STATUSES = meetingResponded.data.shape.status.options;
const toRsvpKind = (status: (typeof RSVP_STATUSES)[number]) => `meetings.meeting.${status}`;

export const meetingHandlers = (deps: Deps) => [
  on(calendarAttached, (event) => deps.store.run(() => saveCalendarPart(deps.store, event))),
  createRecordedHandler(deps, meetingScheduled, { toSubject: meetingSubject, sideEffect: inviteParticipants }),
  createRecordedHandler(deps, meetingUpdated, { toSubject: meetingSubject, sideEffect: sendMeetingUpdates }),
  createRecordedHandler(deps, meetingCancelled, {
    toSubject: meetingSubject,
    toDetails: cancellationDetails,
    sideEffect: sendCancellations,
  }),
  on(meetingClosed, (event) => deps.store.run(() => notifyOfMinutes(deps, event))),
  on(meetingReopened, (event) => deps.store.run(() => withdrawMinutes(deps, event))),
  createRecordedHandler(deps, meetingResponded, { toSubject: meetingSubject, sideEffect: notifyOrganizer }),
];
