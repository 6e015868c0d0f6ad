import type { EventOf } from '@atrium/proto-events/event';
import { meetingDue, type meetingUpdated } from '@atrium/proto-events/events/meetings';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import { isMeetingCanceled } from '../activity/known-state.ts';
import { createRecordedHandler, meetingSubject } from '../activity/record-activity.ts';
import type { Deps } from '../deps.ts';
import { toEmailRecipients, toMeetingLevelId } from '../notifications/notices.ts';
import { notifyUsers } from '../notifications/notify-users.ts';
import { findVisits } from '../notifications/visits.ts';
import { findUsers, formatFullName } from '../users/find-users.ts';

async function sendReminders(deps: Deps, event: EventOf<typeof meetingDue>): Promise<void> {
  const { personIds: userIds, organizerId, ...meeting } = event.data;
  if (await isMeetingCanceled(deps.store, event)) return;
  const details = { startsAt: new Date(meeting.startTime) };
  const subject = meetingSubject(meeting);
  const levelId = toMeetingLevelId(meeting);
  const notice = { kind: 'meeting_reminder', reason: 'participant', levelId } as const;
  await notifyUsers(deps, { event, kind: event.type, notice, email: 'own', subject, userIds, details });
  const organizer = deps.directory.user(organizerId);
  if (!organizer) return;
  const attendees = await findUsers(deps.directory, userIds);
  await deps.queueEmails({
    event,
    kind: 'meeting',
    subjectId: meeting.meetingId,
    content: { template: 'meeting-reminder', organizer: formatFullName(organizer), meeting },
    replyTo: organizer.email,
    recipients: toEmailRecipients(attendees, notice, await findVisits(deps.store, userIds)),
  });
}

export const reminderHandlers = (deps: Deps) => [
  createRecordedHandler(deps, meetingDue, { toSubject: meetingSubject, sideEffect: sendReminders }),
];

type ReminderChange = { id: string; occurredAt: string } & {
  data: Pick<EventOf<typeof meetingUpdated>['data'], 'staleReminders'>;
};

const MAX_LEAD_TIME_MS = 2 * 24 * 60 * 60_000;

/** Marks reminders of an outdated start time as read, and queued reminder emails as not to be sent. */
export async function retractReminders(
  { store, notificationPublisher }: Deps,
  { id, occurredAt, data }: ReminderChange,
): Promise<void> {
  for (const { meetingId, startTime, personIds: userIds } of data.staleReminders ?? []) {
    const startsAt = new Date(startTime);
    const createdAt = { $gte: new Date(startsAt.getTime() - MAX_LEAD_TIME_MS), $lte: new Date(occurredAt) };
    const filter = { personId: { $in: userIds }, createdAt, kind: meetingDue.type, subjectId: meetingId, startsAt };
    await store.notifications.updateMany({ ...filter, read: false }, { $set: { read: true, readAt: new Date() } });
    await store.notifications.updateMany(filter, { $set: { isRetracted: true } });
    await notificationPublisher.publish({
      id: deterministicId([id, meetingDue.type, meetingId, startTime].join()),
      userIds,
      subjectId: meetingId,
    });
  }
}
