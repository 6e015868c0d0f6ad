import type { EventOf } from '@atrium/proto-events/event';
import {
  calendarAttached,
  meetingCancelled,
  meetingResponded,
  meetingScheduled,
  meetingUpdated,
} from '@atrium/proto-events/events/meetings';
import { on } from '@atrium/service-kit/messaging/subscription';
import { recordedReaction } from '../activity/react.ts';
import type { Deps } from '../deps.ts';
import { notifyPeople } from '../notifications/notify-people.ts';
import { takeBackReminders } from '../reminders/retract-reminders.ts';
import { joinCalendarParts, saveCalendarPart } from './calendar-parts.ts';
import { isCancelled, whatIsCancelled } from './is-cancelled.ts';
import { sendCalendarInvites } from './send-calendar-invites.ts';

/** What changes nothing in anybody's calendar. */
const SILENT_FIELDS = new Set(['notes', 'summary', 'participants', 'type', 'project']);

/** Whether a change of these fields is one that everybody who stays is told of. */
const isTold = (changed: readonly string[]): boolean => changed.some((field) => !SILENT_FIELDS.has(field));

const aboutMeeting = ({ meetingId, title }: { meetingId: string; title: string }) => ({
  resource: 'meeting',
  id: meetingId,
  title,
});

/** Invites everyone. */
export async function inviteParticipants(deps: Deps, given: EventOf<typeof meetingScheduled>): Promise<void> {
  if (await isCancelled(deps.store, given)) return;
  const event = await joinCalendarParts(deps.store, given);
  await sendCalendarInvites(deps, event, { organizerIs: meetingScheduled.type });
}

/** Invites who is new, takes it out of the calendars of who is not wanted any more, and tells the others what is different. */
export async function tellOfChange(deps: Deps, given: EventOf<typeof meetingUpdated>): Promise<void> {
  const event = await joinCalendarParts(deps.store, given);
  await takeBackReminders(deps, event);
  const { changed, removedIds, rsvpReset, truncatedFor } = event.data;
  // Whoever was taken out before is told by this alone.
  const onlyFarewells = await isCancelled(deps.store, event);
  await sendCalendarInvites(deps, event, {
    removedIds,
    changed,
    rsvpReset,
    truncatedFor,
    organizerIs: isTold(changed) && !onlyFarewells ? event.type : undefined,
    onlyFarewells,
  });
}

/** Takes the meeting out of everybody's calendar. */
export async function tellOfCancellation(deps: Deps, event: EventOf<typeof meetingCancelled>): Promise<void> {
  await takeBackReminders(deps, event);
  const { isAlone = false } = event.data;
  await sendCalendarInvites(deps, event, { organizerIs: isAlone ? undefined : event.type });
}

/** Tells the organiser who comes. */
export async function tellOrganizer(deps: Deps, event: EventOf<typeof meetingResponded>): Promise<void> {
  await takeBackReminders(deps, event);
  await notifyPeople(deps, {
    event,
    kind: answerKind(event.data.status),
    subject: aboutMeeting(event.data),
    personIds: [event.data.organizerId],
    // Each person has one answer, however often they change it.
    replacedKinds: ANSWERS.filter((status) => status !== event.data.status).map(answerKind),
  });
}

const ANSWERS = meetingResponded.data.shape.status.options;
const answerKind = (status: (typeof ANSWERS)[number]) => `meetings.meeting.${status}`;

export const meetingReactions = (deps: Deps) => [
  on(calendarAttached, (event) => deps.store.reach(() => saveCalendarPart(deps.store, event))),
  recordedReaction(deps, meetingScheduled, { about: aboutMeeting, effect: inviteParticipants }),
  recordedReaction(deps, meetingUpdated, { about: aboutMeeting, effect: tellOfChange }),
  recordedReaction(deps, meetingCancelled, {
    about: aboutMeeting,
    details: whatIsCancelled,
    effect: tellOfCancellation,
  }),
  recordedReaction(deps, meetingResponded, { about: aboutMeeting, effect: tellOrganizer }),
];
