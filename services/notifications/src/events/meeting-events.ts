import type { EventOf } from '@atrium/proto-events/event';
import type { CalendarObject } from '@atrium/proto-events/events/meeting-calendar';
import {
  calendarAttached,
  meetingCancelled,
  meetingResponded,
  meetingScheduled,
  meetingUpdated,
} from '@atrium/proto-events/events/meetings';
import { on } from '@atrium/service-kit/messaging/subscription';
import { cancellationDetails, isMeetingCancelled } from '../activity/known-state.ts';
import { aboutMeeting, recordedReaction } from '../activity/record-activity.ts';
import { sendCalendarInvites } from '../calendars/send-calendar-invites.ts';
import type { Deps } from '../deps.ts';
import { notifyUsers } from '../notifications/notify-users.ts';
import type { CalendarPartRecord } from '../store/records.ts';
import { insertOnce, type Store } from '../store/store.ts';
import { retractReminders } from './reminder-events.ts';

type Calendars = Pick<EventOf<typeof meetingScheduled>['data'], 'calendarParts'> &
  Partial<Record<CalendarPartRecord['of'], CalendarObject>>;

const partId = (changeId: string, index: number) => `${changeId}:${index}`;

async function saveCalendarPart(store: Store, { data }: EventOf<typeof calendarAttached>): Promise<void> {
  const { changeId, index, ...part } = data;
  await insertOnce(store.calendarParts, [{ _id: partId(changeId, index), at: new Date(), ...part }]);
}

/** Returns the event with complete calendars. Throws if a part has not arrived yet, so that the event is redelivered. */
async function joinCalendarParts<E extends { data: Calendars }>(store: Store, event: E): Promise<E> {
  const { calendar, calendarBefore, calendarParts } = event.data;
  if (!calendarParts) return event;
  const ids = Array.from({ length: calendarParts.count }, (_, index) => partId(calendarParts.changeId, index));
  const found = await store.calendarParts.find({ _id: { $in: ids } }).lean<CalendarPartRecord[]>();
  const byId = new Map(found.map((part) => [part._id, part]));
  const parts = ids.map((id) => {
    const part = byId.get(id);
    if (!part) throw new Error(`Calendar part ${id} has not arrived yet`);
    return part;
  });
  return {
    ...event,
    data: {
      ...event.data,
      ...(calendar && { calendar: withParts(calendar, parts, 'calendar') }),
      ...(calendarBefore && { calendarBefore: withParts(calendarBefore, parts, 'calendarBefore') }),
    },
  };
}

function withParts(calendar: CalendarObject, all: readonly CalendarPartRecord[], of: CalendarPartRecord['of']) {
  const parts = all.filter((part) => part.of === of);
  const { master } = calendar;
  return {
    ...calendar,
    master: master && { ...master, excludedStarts: parts.flatMap(({ excludedStarts }) => excludedStarts) },
    occurrences: parts.flatMap(({ occurrences }) => occurrences),
  };
}

const SILENT_FIELDS = new Set(['notes', 'summary', 'participants', 'type', 'project']);

const affectsParticipants = (changed: readonly string[]): boolean => changed.some((field) => !SILENT_FIELDS.has(field));

async function inviteParticipants(deps: Deps, received: EventOf<typeof meetingScheduled>): Promise<void> {
  if (await isMeetingCancelled(deps.store, received)) return;
  const event = await joinCalendarParts(deps.store, received);
  await sendCalendarInvites(deps, event, { organizerKind: meetingScheduled.type });
}

async function sendMeetingUpdates(deps: Deps, received: EventOf<typeof meetingUpdated>): Promise<void> {
  const event = await joinCalendarParts(deps.store, received);
  await retractReminders(deps, event);
  // Users who were removed earlier receive only their cancellation.
  const onlyCancellations = await isMeetingCancelled(deps.store, event);
  const isNotified = affectsParticipants(event.data.changed) && !onlyCancellations;
  await sendCalendarInvites(deps, event, { organizerKind: isNotified ? event.type : undefined, onlyCancellations });
}

async function sendCancellations(deps: Deps, event: EventOf<typeof meetingCancelled>): Promise<void> {
  await retractReminders(deps, event);
  const { isAlone = false } = event.data;
  await sendCalendarInvites(deps, event, { organizerKind: isAlone ? undefined : event.type });
}

async function notifyOrganizer(deps: Deps, event: EventOf<typeof meetingResponded>): Promise<void> {
  await retractReminders(deps, event);
  await notifyUsers(deps, {
    event,
    kind: rsvpKind(event.data.status),
    subject: aboutMeeting(event.data),
    personIds: [event.data.organizerId],
    replacedKinds: RSVP_STATUSES.filter((status) => status !== event.data.status).map(rsvpKind),
  });
}

const RSVP_STATUSES = meetingResponded.data.shape.status.options;
const rsvpKind = (status: (typeof RSVP_STATUSES)[number]) => `meetings.meeting.${status}`;

export const meetingReactions = (deps: Deps) => [
  on(calendarAttached, (event) => deps.store.reach(() => saveCalendarPart(deps.store, event))),
  recordedReaction(deps, meetingScheduled, { about: aboutMeeting, effect: inviteParticipants }),
  recordedReaction(deps, meetingUpdated, { about: aboutMeeting, effect: sendMeetingUpdates }),
  recordedReaction(deps, meetingCancelled, {
    about: aboutMeeting,
    details: cancellationDetails,
    effect: sendCancellations,
  }),
  recordedReaction(deps, meetingResponded, { about: aboutMeeting, effect: notifyOrganizer }),
];
