import type { EventOf } from '@atrium/proto-events/event';
import { meetingDue } from '@atrium/proto-events/events/meeting-reminders';
import { recordedReaction } from '../activity/react.ts';
import type { Deps } from '../deps.ts';
import { isCancelled } from '../meetings/is-cancelled.ts';
import { notifyPeople } from '../notifications/notify-people.ts';
import { findPeople, fullName, toRecipient } from '../people.ts';

const aboutMeeting = ({ meetingId, title }: { meetingId: string; title: string }) => ({
  resource: 'meeting',
  id: meetingId,
  title,
});

/** Reminds people of a meeting, here and by mail; the organiser like everybody else. */
export async function remindPeople(deps: Deps, event: EventOf<typeof meetingDue>): Promise<void> {
  const { personIds, organizerId, ...meeting } = event.data;
  const { startTime: startsAt } = meeting;
  if (await isCancelled(deps.store, event)) return;
  await notifyPeople(deps, { event, kind: event.type, subject: aboutMeeting(meeting), personIds, startsAt });
  const organizer = deps.directory.user(organizerId);
  if (!organizer) return;
  const people = await findPeople(deps.directory, personIds);
  await deps.queueMails({
    id: event.id,
    kind: 'meeting',
    about: meeting.meetingId,
    requestId: event.requestId,
    occurredAt: event.occurredAt,
    content: { template: 'meeting-reminder', organizer: fullName(organizer), meeting },
    replyTo: organizer.email,
    recipients: people.map(toRecipient),
  });
}

export const reminderReactions = (deps: Deps) => [
  recordedReaction(deps, meetingDue, { about: aboutMeeting, effect: remindPeople }),
];
