import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { appendMeetingUpdated } from '../events/attach-calendars.ts';
import { readMeetingCalendar } from '../events/calendar-object.ts';
import { meetingEventData } from '../events/meeting-event-data.ts';
import { cancelMeeting } from '../meetings/delete-meeting.ts';
import {
  idsOf,
  incrementSequence,
  lockMeetingWithSeries,
  type MeetingRow,
  readMeeting,
  updateMeetingRows,
} from '../model/meeting-repository.ts';
import { findStaleReminders, lockRemindedUsers } from '../reminders/stale-reminders.ts';
import { removeParticipant } from './departure-repository.ts';

export async function leaveMeeting(tx: Queryable, id: string, user: DeactivatedUser): Promise<void> {
  const row = await lockMeetingWithSeries(tx, id);
  if (!row || row.is_past || row.is_closed) return;
  const guestIds = idsOf(row.participants);
  if (!guestIds.includes(user.userId)) return;
  if (row.organizer_id !== user.userId) return removeUser(tx, row, user);
  const organizerId = chooseOrganizer(guestIds, user);
  if (organizerId === undefined) return cancelMeeting(tx, row, user.actorId);
  return removeUser(tx, row, { ...user, organizerId });
}

type Removal = DeactivatedUser & { organizerId?: string };

async function removeUser(tx: Queryable, row: MeetingRow, { userId, organizerId, actorId }: Removal): Promise<void> {
  const calendarBefore = await readMeetingCalendar(tx, row);
  const remindedUsers = await lockRemindedUsers(tx, { meetingId: row.id });
  await removeParticipant(tx, [row.id], { userId, organizerId });
  await updateMeetingRows(tx, [row.id], {});
  await incrementSequence(tx, row);
  const after = await readMeeting(tx, row.id);
  await appendMeetingUpdated(tx, {
    eventData: {
      ...(await meetingEventData(tx, after)),
      ...describeHandover({ userId, organizerId, guestIds: idsOf(row.participants) }),
      ...(await findStaleReminders(tx, remindedUsers)),
    },
    calendars: { calendar: await readMeetingCalendar(tx, after), calendarBefore },
    actorId,
  });
}

type HandoverParams = { userId: string; organizerId: string | undefined; guestIds: readonly string[] };

export const describeHandover = ({ userId, organizerId, guestIds }: HandoverParams) => ({
  addedIds: organizerId === undefined || guestIds.includes(organizerId) ? [] : [organizerId],
  removedIds: [userId],
  rsvpReset: false,
  changed: organizerId === undefined ? ['participants'] : ['participants', 'organizer'],
  ...(organizerId !== undefined && { previousOrganizerId: userId }),
});

export type DeactivatedUser = { userId: string; actorId: string | null; directory: Directory };

/**
 * Returns the first guest who can schedule meetings, or else an administrator. Returns undefined if fewer than two
 * guests would remain.
 */
export function chooseOrganizer(
  guestIds: readonly string[],
  { userId, actorId, directory }: DeactivatedUser,
): string | undefined {
  const guests = guestIds.filter((id) => id !== userId && isActive(directory.user(id)));
  if (guests.length < 2) return undefined;
  const scheduler = guests.find((id) => directory.user(id)?.role !== 'member');
  if (scheduler !== undefined) return scheduler;
  if (actorId !== null && isActive(directory.user(actorId))) return actorId;
  return [...directory.users()].find((user) => user.role === 'admin' && isActive(user))?._id;
}
