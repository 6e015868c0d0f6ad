import { meetingUpdated } from '@atrium/proto-events/events/meetings';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { attachCalendars } from '../calendar/attach-calendars.ts';
import { meetingCalendar } from '../calendar/calendar-object.ts';
import { cancelOne } from '../meetings/delete-meeting.ts';
import { meetingEventData } from '../meetings/meeting-event-data.ts';
import { changeMeetings, lockMeetingWithSeries, type MeetingRow, readMeeting } from '../meetings/meeting-repository.ts';
import { countSequence } from '../meetings/sequence.ts';
import { lockRemindedUsers, staleReminders } from '../reminders/stale-reminders.ts';
import { chooseOrganizer, type DepartedUser } from './choose-organizer.ts';
import { removeParticipant } from './departure-repository.ts';

export async function leaveMeeting(tx: Queryable, id: string, departed: DepartedUser): Promise<void> {
  const row = await lockMeetingWithSeries(tx, id);
  if (!row || row.is_past || row.is_closed) return;
  const guestIds = row.participants.map((guest) => guest.id);
  if (!guestIds.includes(departed.userId)) return;
  if (row.organizer_id !== departed.userId) return removeFrom(tx, row, departed);
  const organizerId = chooseOrganizer(guestIds, departed);
  if (organizerId === undefined) return cancelOne(tx, row, departed.actorId);
  return removeFrom(tx, row, { ...departed, organizerId });
}

type Removal = DepartedUser & { organizerId?: string };

async function removeFrom(tx: Queryable, row: MeetingRow, { userId, organizerId, actorId }: Removal): Promise<void> {
  const calendarBefore = await meetingCalendar(tx, row);
  const reminded = await lockRemindedUsers(tx, { meetingId: row.id });
  await removeParticipant(tx, [row.id], { userId, organizerId });
  await changeMeetings(tx, [row.id], {});
  await countSequence(tx, row);
  const after = await readMeeting(tx, row.id);
  const facts = await meetingEventData(tx, after);
  const about = { aggregate: facts.calendarId, actorId };
  await appendEvent(tx, {
    event: meetingUpdated,
    data: {
      ...facts,
      ...handover({ userId, organizerId, guestIds: row.participants.map(({ id }) => id) }),
      ...(await staleReminders(tx, reminded)),
      ...(await attachCalendars(tx, { calendar: await meetingCalendar(tx, after), calendarBefore }, about)),
    },
    ...about,
  });
}

type Change = { userId: string; organizerId: string | undefined; guestIds: readonly string[] };

/** RSVPs stay as they are. */
export const handover = ({ userId, organizerId, guestIds }: Change) => ({
  addedIds: organizerId === undefined || guestIds.includes(organizerId) ? [] : [organizerId],
  removedIds: [userId],
  rsvpReset: false,
  changed: organizerId === undefined ? ['participants'] : ['participants', 'organizer'],
  ...(organizerId !== undefined && { previousOrganizerId: userId }),
});
