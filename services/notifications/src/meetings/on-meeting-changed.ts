import type { EventOf } from '@atrium/proto-events/event';
import {
  calendarAttached,
  meetingCancelled,
  meetingResponded,
  meetingScheduled,
  meetingUpdated,
} from '@atrium/proto-events/events/meetings';
import { on } from '@atrium/service-kit/messaging/subscription';
import { recordedReaction } from '../activity/recorded-reaction.ts';
import type { Deps } from '../deps.ts';
import { notifyUsers } from '../notifications/notify-users.ts';
import { retractReminders } from '../reminders/retract-reminders.ts';
import { joinCalendarParts, saveCalendarPart } from './calendar-parts.ts';
import { cancellationDetails, isCancelled } from './is-cancelled.ts';
import { sendCalendarInvites } from './send-calendar-invites.ts';

/** Fields that are not part of calendars. */
const SILENT_FIELDS = new Set(['notes', 'summary', 'participants', 'type', 'project']);

const affectsParticipants = (changed: readonly string[]): boolean => changed.some((field) => !SILENT_FIELDS.has(field));

const aboutMeeting = ({ meetingId, title }: { meetingId: string; title: string }) => ({
  resource: 'meeting',
  id: meetingId,
  title,
});

export async function inviteParticipants(deps: Deps, received: EventOf<typeof meetingScheduled>): Promise<void> {
  if (await isCancelled(deps.store, received)) return;
  const event = await joinCalendarParts(deps.store, received);
  await sendCalendarInvites(deps, event, { organizerKind: meetingScheduled.type });
}

export async function sendMeetingUpdates(deps: Deps, received: EventOf<typeof meetingUpdated>): Promise<void> {
  const event = await joinCalendarParts(deps.store, received);
  await retractReminders(deps, event);
  const { changed, removedIds, rsvpReset, truncatedFor } = event.data;
  // Users who were removed earlier receive only their cancellation.
  const onlyCancellations = await isCancelled(deps.store, event);
  await sendCalendarInvites(deps, event, {
    removedIds,
    changed,
    rsvpReset,
    truncatedFor,
    organizerKind: affectsParticipants(changed) && !onlyCancellations ? event.type : undefined,
    onlyCancellations,
  });
}

export async function sendCancellations(deps: Deps, event: EventOf<typeof meetingCancelled>): Promise<void> {
  await retractReminders(deps, event);
  const { isAlone = false } = event.data;
  await sendCalendarInvites(deps, event, { organizerKind: isAlone ? undefined : event.type });
}

export async function notifyOrganizer(deps: Deps, event: EventOf<typeof meetingResponded>): Promise<void> {
  await retractReminders(deps, event);
  await notifyUsers(deps, {
    event,
    kind: rsvpKind(event.data.status),
    subject: aboutMeeting(event.data),
    personIds: [event.data.organizerId],
    // A new response replaces the participant's earlier one.
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
