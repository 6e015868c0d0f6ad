import type { EventOf } from '@atrium/proto-events/event';
import { meetingDue, type meetingUpdated } from '@atrium/proto-events/events/meetings';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import { isMeetingCancelled } from '../activity/known-state.ts';
import { aboutMeeting, recordedReaction } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import { notifyUsers } from '../notifications/notify-users.ts';
import { findUsers, fullName, toRecipient } from '../users.ts';

async function sendReminders(deps: Deps, event: EventOf<typeof meetingDue>): Promise<void> {
  const { personIds, organizerId, ...meeting } = event.data;
  if (await isMeetingCancelled(deps.store, event)) return;
  const details = { startsAt: new Date(meeting.startTime) };
  await notifyUsers(deps, { event, kind: event.type, subject: aboutMeeting(meeting), personIds, details });
  const organizer = deps.directory.user(organizerId);
  if (!organizer) return;
  const people = await findUsers(deps.directory, personIds);
  await deps.queueEmails({
    event,
    kind: 'meeting',
    about: meeting.meetingId,
    content: { template: 'meeting-reminder', organizer: fullName(organizer), meeting },
    replyTo: organizer.email,
    recipients: people.map(toRecipient),
  });
}

export const reminderReactions = (deps: Deps) => [
  recordedReaction(deps, meetingDue, { about: aboutMeeting, effect: sendReminders }),
];

type Change = { id: string; occurredAt: string } & {
  data: Pick<EventOf<typeof meetingUpdated>['data'], 'staleReminders'>;
};

const MAX_LEAD_TIME_MS = 2 * 24 * 60 * 60_000;

export async function retractReminders(
  { store, notificationPublisher }: Deps,
  { id, occurredAt, data }: Change,
): Promise<void> {
  for (const { meetingId, startTime, personIds } of data.staleReminders ?? []) {
    const startsAt = new Date(startTime);
    const createdAt = { $gte: new Date(startsAt.getTime() - MAX_LEAD_TIME_MS), $lte: new Date(occurredAt) };
    const theirs = { personId: { $in: personIds }, createdAt, kind: meetingDue.type, subjectId: meetingId, startsAt };
    await store.notifications.updateMany({ ...theirs, read: false }, { $set: { read: true, readAt: new Date() } });
    await store.notifications.updateMany(theirs, { $set: { isRetracted: true } });
    await notificationPublisher.publish({
      id: deterministicId([id, meetingDue.type, meetingId, startTime].join()),
      personIds,
      about: meetingId,
    });
  }
}
