import type { EventOf } from '@atrium/proto-events/event';
import {
  calendarAttached,
  meetingCancelled,
  meetingResponded,
  meetingScheduled,
  meetingUpdated,
} from '@atrium/proto-events/events/meetings';
import { on } from '@atrium/service-kit/messaging/subscription';
import { react } from '../activity/react.ts';
import type { Deps } from '../deps.ts';
import { notifyPeople } from '../notifications/notify-people.ts';
import { takeBackReminders } from '../reminders/take-back-reminders.ts';
import { keepAnswer } from './answers.ts';
import { joinCalendarParts, saveCalendarPart } from './calendar-parts.ts';
import { isCancelled, whatIsCancelled } from './is-cancelled.ts';
import { tellByCalendar } from './tell-by-calendar.ts';
import { aboutMeeting, inviteEverybody, isTold, tellOfCancelled, tellOfUpdate } from './tell-without-calendar.ts';

/** Invites everyone. */
export async function inviteParticipants(deps: Deps, given: EventOf<typeof meetingScheduled>): Promise<void> {
  if (await isCancelled(deps.store, given)) return;
  const event = await joinCalendarParts(deps.store, given);
  if (!event.data.calendar) return inviteEverybody(deps, event);
  await tellByCalendar(deps, event, { organizerIs: meetingScheduled.type });
}

/** Invites who is new, takes it out of the calendars of who is not wanted any more, and tells the others what is different. */
export async function tellOfChange(deps: Deps, given: EventOf<typeof meetingUpdated>): Promise<void> {
  const event = await joinCalendarParts(deps.store, given);
  await takeBackReminders(deps, event);
  const { calendar, calendarBefore, changed, removedIds, reinvited, endedFor } = event.data;
  // Whoever was taken out before is told by this alone.
  const onlyFarewells = await isCancelled(deps.store, event);
  if (!calendar || !calendarBefore) return tellOfUpdate(deps, event, { onlyFarewells });
  await tellByCalendar(deps, event, {
    removedIds,
    changed,
    reinvited,
    endedFor,
    organizerIs: isTold(changed) && !onlyFarewells ? event.type : undefined,
    onlyFarewells,
  });
}

/** Takes the meeting out of everybody's calendar. */
export async function tellOfCancellation(deps: Deps, event: EventOf<typeof meetingCancelled>): Promise<void> {
  await takeBackReminders(deps, event);
  const { calendarBefore, isAlone = false } = event.data;
  if (!calendarBefore) return tellOfCancelled(deps, event);
  await tellByCalendar(deps, event, { organizerIs: isAlone ? undefined : event.type });
}

/** Tells the organiser who comes. */
export async function tellOrganizer(deps: Deps, event: EventOf<typeof meetingResponded>): Promise<void> {
  await takeBackReminders(deps, event);
  await keepAnswer(deps.store, event);
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
  react(deps, meetingScheduled, { about: aboutMeeting, effect: inviteParticipants }),
  react(deps, meetingUpdated, { about: aboutMeeting, effect: tellOfChange }),
  react(deps, meetingCancelled, { about: aboutMeeting, details: whatIsCancelled, effect: tellOfCancellation }),
  react(deps, meetingResponded, { about: aboutMeeting, effect: tellOrganizer }),
];
