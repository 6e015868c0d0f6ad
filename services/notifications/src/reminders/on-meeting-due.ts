import type { EventOf } from '@atrium/proto-events/event';
import { meetingDue } from '@atrium/proto-events/events/meeting-reminders';
import { recordedReaction } from '../activity/recorded-reaction.ts';
import type { Deps } from '../deps.ts';
import { isCancelled } from '../meetings/is-cancelled.ts';
import { notifyUsers } from '../notifications/notify-users.ts';
import { findUsers, fullName, toRecipient } from '../users.ts';

const aboutMeeting = ({ meetingId, title }: { meetingId: string; title: string }) => ({
  resource: 'meeting',
  id: meetingId,
  title,
});

export async function sendReminders(deps: Deps, event: EventOf<typeof meetingDue>): Promise<void> {
  const { personIds, organizerId, ...meeting } = event.data;
  const { startTime: startsAt } = meeting;
  if (await isCancelled(deps.store, event)) return;
  await notifyUsers(deps, { event, kind: event.type, subject: aboutMeeting(meeting), personIds, startsAt });
  const organizer = deps.directory.user(organizerId);
  if (!organizer) return;
  const people = await findUsers(deps.directory, personIds);
  await deps.queueEmails({
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
  recordedReaction(deps, meetingDue, { about: aboutMeeting, effect: sendReminders }),
];
