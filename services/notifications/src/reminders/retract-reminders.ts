import type { EventOf } from '@atrium/proto-events/event';
import { meetingDue } from '@atrium/proto-events/events/meeting-reminders';
import type { meetingUpdated } from '@atrium/proto-events/events/meetings';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';

type Change = { id: string; occurredAt: string } & {
  data: Pick<EventOf<typeof meetingUpdated>['data'], 'staleReminders'>;
};

/** No reminder is told so long before the start. */
const EARLIEST_MS = 2 * 24 * 60 * 60_000;

/**
 * Takes back what reminds people of a start that does not hold for them any more: it is read, no longer says when, and its mail does not
 * leave where it still waits (`whyOvertaken`). What they are reminded of after the change stays.
 */
export async function takeBackReminders({ store, listNews }: Deps, { id, occurredAt, data }: Change): Promise<void> {
  for (const { meetingId, startTime, personIds } of data.staleReminders ?? []) {
    const startsAt = new Date(startTime);
    const createdAt = { $gte: new Date(startsAt.getTime() - EARLIEST_MS), $lte: new Date(occurredAt) };
    const theirs = { personId: { $in: personIds }, createdAt, kind: meetingDue.type, subjectId: meetingId, startsAt };
    await store.notifications.updateMany({ ...theirs, read: false }, { $set: { read: true, readAt: new Date() } });
    await store.notifications.updateMany(theirs, { $set: { isOvertaken: true } });
    await listNews.tell({
      id: deterministicId([id, meetingDue.type, meetingId, startTime].join()),
      personIds,
      about: meetingId,
    });
  }
}
