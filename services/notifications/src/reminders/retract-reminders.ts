import type { EventOf } from '@atrium/proto-events/event';
import { meetingDue } from '@atrium/proto-events/events/meeting-reminders';
import type { meetingUpdated } from '@atrium/proto-events/events/meetings';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';

type Change = { id: string; occurredAt: string } & {
  data: Pick<EventOf<typeof meetingUpdated>['data'], 'staleReminders'>;
};

/** Reminders are sent at most this long before the start. */
const MAX_LEAD_TIME_MS = 2 * 24 * 60 * 60_000;

/**
 * Marks outdated reminders as read and hides their start time; queued emails are suppressed (`supersededReason`). Reminders created after
 * the change stay.
 */
export async function retractReminders(
  { store, notificationPublisher }: Deps,
  { id, occurredAt, data }: Change,
): Promise<void> {
  for (const { meetingId, startTime, personIds } of data.staleReminders ?? []) {
    const startsAt = new Date(startTime);
    const createdAt = { $gte: new Date(startsAt.getTime() - MAX_LEAD_TIME_MS), $lte: new Date(occurredAt) };
    const theirs = { personId: { $in: personIds }, createdAt, kind: meetingDue.type, subjectId: meetingId, startsAt };
    await store.notifications.updateMany({ ...theirs, read: false }, { $set: { read: true, readAt: new Date() } });
    await store.notifications.updateMany(theirs, { $set: { isOvertaken: true } });
    await notificationPublisher.publish({
      id: deterministicId([id, meetingDue.type, meetingId, startTime].join()),
      personIds,
      about: meetingId,
    });
  }
}
