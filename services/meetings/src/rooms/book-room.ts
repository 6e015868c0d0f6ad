import { AppError, invalidField } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { listIds } from '../model/meeting-repository.ts';
import { lockRoom } from './room-repository.ts';

/**
 * Locks the room until the transaction ends, so that concurrent bookings wait and see this one. Throws
 * `validation_failed` for an unknown room and `forbidden` for one the caller cannot book.
 */
export async function chooseRoom(tx: Queryable, caller: Caller, roomId: string) {
  const room = await lockRoom(tx, roomId);
  if (!room) throw invalidField('room', 'Room not found');
  if (!canBook(caller, room)) throw new AppError('forbidden', BOOK_DENIED);
  return room;
}

export type Booking = { seriesId: string } | { meetingId: string };

const toCondition = (booking: Booking) =>
  'seriesId' in booking
    ? { where: 'm.series_id = $1', id: booking.seriesId }
    : { where: 'm.id = $1', id: booking.meetingId };

/** Locks current and new rooms, including deleted ones, in a fixed order that prevents deadlocks. */
export async function lockRooms(tx: Queryable, booking: Booking, newRoomId: string | null = null): Promise<void> {
  const { where, id } = toCondition(booking);
  await tx.query(
    `select from rooms where id = $2 or id in (select m.room_id from meetings m where ${where} and m.ends_at > now())
     order by id for no key update`,
    [id, newRoomId],
  );
}

const OVERLAPPING = `other.room_id = m.room_id and other.id <> m.id
  and tstzrange(other.starts_at, other.ends_at) && tstzrange(m.starts_at, m.ends_at)`;

/**
 * Throws `conflict` if another meeting has the room at the same time, revealing only room and time. The rooms must be
 * locked.
 */
export async function assertRoomFree(tx: Queryable, booking: Booking, timeZone: string): Promise<void> {
  const { where, id } = toCondition(booking);
  const { rows } = await tx.query<RoomConflict>(
    `select r.name, other.starts_at, other.ends_at
     from meetings m join meetings other on ${OVERLAPPING} join rooms r on r.id = m.room_id
     where ${where} and m.ends_at > now() order by other.starts_at limit 1`,
    [id],
  );
  const [conflict] = rows;
  if (conflict) throw new AppError('conflict', formatConflict(conflict, timeZone));
}

/** Lists upcoming meetings of the series whose room is taken, soonest first. */
export async function listConflictingMeetingIds(tx: Queryable, seriesId: string): Promise<string[]> {
  return listIds(
    tx,
    `select m.id from meetings m where m.series_id = $1 and m.ends_at > now()
       and exists (select from meetings other where ${OVERLAPPING}) order by m.starts_at, m.id`,
    [seriesId],
  );
}

export async function releaseRooms(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query('update meetings set room_id = null where id = any($1)', [ids]);
}

type RoomConflict = { name: string; starts_at: Date; ends_at: Date };

/** Example: 'Blue is taken on Tuesday, January 7, 2031, 10:00 AM to 11:00 AM (Europe/Berlin): Busy' */
function formatConflict({ name, starts_at, ends_at }: RoomConflict, timeZone: string): string {
  const format = (at: Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone }).format(at).replaceAll('\u202f', ' ');
  const formatDay = (at: Date) => format(at, { dateStyle: 'full' });
  const formatTime = (at: Date) => format(at, { timeStyle: 'short' });
  const firstDay = formatDay(starts_at);
  const lastDay = formatDay(ends_at);
  const end = firstDay === lastDay ? formatTime(ends_at) : `${lastDay}, ${formatTime(ends_at)}`;
  return `${name} is taken on ${firstDay}, ${formatTime(starts_at)} to ${end} (${timeZone}): Busy`;
}

const BOOK_DENIED = 'This room can only be booked by members of its departments';

/** Whether the caller is an administrator or a member of the room's departments, or the room is for everyone. */
export const canBook = ({ role, departmentId }: Caller, room: { department_ids: readonly string[] }) =>
  role === 'admin' ||
  room.department_ids.length === 0 ||
  (departmentId != null && room.department_ids.includes(departmentId));
