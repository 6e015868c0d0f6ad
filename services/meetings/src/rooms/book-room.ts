import { AppError, invalidField } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { listIds } from '../model/meeting-repository.ts';
import { lockRoom } from './room-repository.ts';

/**
 * Locks the room until the transaction ends, so that concurrent bookings wait and see this one. Throws `validation_failed` for an unknown
 * room and `forbidden` for one the caller cannot book.
 */
export async function chooseRoom(tx: Queryable, caller: Caller, roomId: string) {
  const room = await lockRoom(tx, roomId);
  if (!room) throw invalidField('room', 'Room not found');
  if (!canBook(caller, room)) throw new AppError('forbidden', BOOK_DENIED);
  return room;
}

export type Booked = { seriesId: string } | { meetingId: string };

const bookings = (booked: Booked) =>
  'seriesId' in booked
    ? { where: 'm.series_id = $1', id: booked.seriesId }
    : { where: 'm.id = $1', id: booked.meetingId };

/** Locks current and new rooms, deleted ones too, in a fixed order that prevents deadlocks. */
export async function lockRooms(tx: Queryable, booked: Booked, wanted: string | null = null): Promise<void> {
  const { where, id } = bookings(booked);
  await tx.query(
    `select from rooms where id = $2 or id in (select m.room_id from meetings m where ${where} and m.ends_at > now())
     order by id for no key update`,
    [id, wanted],
  );
}

const OVERLAPPING = `other.room_id = m.room_id and other.id <> m.id
  and tstzrange(other.starts_at, other.ends_at) && tstzrange(m.starts_at, m.ends_at)`;

/** Throws `conflict` if another meeting has the room at the same time, revealing only room and time. The rooms must be locked. */
export async function assertRoomFree(tx: Queryable, booked: Booked, timeZone: string): Promise<void> {
  const { where, id } = bookings(booked);
  const { rows } = await tx.query<{ name: string; starts_at: Date; ends_at: Date }>(
    `select r.name, other.starts_at, other.ends_at
     from meetings m join meetings other on ${OVERLAPPING} join rooms r on r.id = m.room_id
     where ${where} and m.ends_at > now() order by other.starts_at limit 1`,
    [id],
  );
  const [taken] = rows;
  if (taken) throw new AppError('conflict', roomConflictMessage(taken, timeZone));
}

/** Upcoming meetings of the series whose room is taken, in order. */
export async function listConflicts(tx: Queryable, seriesId: string): Promise<string[]> {
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

/** 'Blue is taken on Tuesday, January 7, 2031, 10:00 AM to 11:00 AM (Europe/Berlin): Busy' */
function roomConflictMessage(taken: { name: string; starts_at: Date; ends_at: Date }, timeZone: string): string {
  const format = (at: Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone }).format(at).replaceAll('\u202f', ' ');
  const day = (at: Date) => format(at, { dateStyle: 'full' });
  const clock = (at: Date) => format(at, { timeStyle: 'short' });
  const [first, last] = [day(taken.starts_at), day(taken.ends_at)];
  const until = first === last ? clock(taken.ends_at) : `${last}, ${clock(taken.ends_at)}`;
  return `${taken.name} is taken on ${first}, ${clock(taken.starts_at)} to ${until} (${timeZone}): Busy`;
}

const BOOK_DENIED = 'This room can only be booked by members of its departments';

/** Administrators, and members of its departments, if it names any. */
export const canBook = ({ role, departmentId }: Caller, room: { department_ids: readonly string[] }) =>
  role === 'admin' ||
  room.department_ids.length === 0 ||
  (departmentId != null && room.department_ids.includes(departmentId));
