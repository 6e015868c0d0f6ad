import { meetingScheduled, meetingUpdated, roomChanged } from '@atrium/proto-events/events/meetings';
import type { Room } from '@atrium/proto-events/http/meetings/rooms';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { buildUser } from '@atrium/test-kit/build-user';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fillAll } from '../src/meetings/occurrence-generator.ts';
import { berlin, berlinDay, startMeetings, type TestUserName } from './factories.ts';

const ENGINEERING = '000000000000000000000d01';
const DESIGN = '000000000000000000000d02';

let api: Awaited<ReturnType<typeof startMeetings>>;

beforeAll(async () => {
  api = await startMeetings();
  const department = { isActive: true, version: 1 };
  api.service.running.directory.putDepartment({ ...department, _id: ENGINEERING, name: 'Engineering' });
  api.service.running.directory.putDepartment({ ...department, _id: DESIGN, name: 'Design' });
});
afterAll(() => api.service.close());

const callRooms = (as: TestUserName, method: string, id = '', body?: unknown) =>
  api.service.call(method, `/meetings/rooms${id && `/${id}`}`, {
    as: api.users[as],
    ...(body !== undefined && { body }),
  });

let roomCount = 0;
async function createRoom(
  overrides: Partial<{ name: string; size: number; departments: string[] }> = {},
): Promise<Room> {
  roomCount += 1;
  const { status, body } = await callRooms('admin', 'POST', '', { name: `Room ${roomCount}`, size: 8, ...overrides });
  if (status !== 201) throw new Error(`Failed to create room: ${JSON.stringify(body)}`);
  return body as Room;
}

const getMessage = (response: { body: unknown }) => {
  const { message } = response.body as { message: string | string[] };
  return Array.isArray(message) ? message.join() : message;
};
const CONFLICT = /^Room \d+ is taken on \w+, \w+ \d+, \d{4}, \d+:\d\d [AP]M to \d+:\d\d [AP]M \([\w/]+\): Busy$/;

let day = 0;
/** Returns a function for times in Berlin in 2031. Each test uses its own days. */
const nextDay = () => {
  day += 7;
  return (time: string, dayOffset = 0) =>
    berlin(`${new Date(Date.UTC(2031, 0, 1 + day + dayOffset)).toISOString().slice(0, 10)}T${time}`);
};

describe('rooms', () => {
  it('are created, updated, and deleted by administrators, and listed to everyone', async () => {
    const blue = await createRoom({ name: 'Blue', size: 12, departments: [DESIGN] });
    expect(blue).toMatchObject({
      name: 'Blue',
      size: 12,
      departments: [{ _id: DESIGN, name: 'Design' }],
      isForEveryone: false,
      abilities: { book: true, update: true },
    });
    for (const name of [' blue ', 'ＢＬＵＥ', 'Bl\u200bue'])
      expect(await callRooms('admin', 'POST', '', { name, size: 2 })).toMatchObject({
        status: 409,
        body: { message: 'A room with this name already exists' },
      });
    const list = await callRooms('invitee', 'GET');
    expect((list.body as { data: Room[] }).data.find(({ _id }) => _id === blue._id)).toMatchObject({
      abilities: { book: false, update: false },
    });
    const renamed = await callRooms('admin', 'PATCH', blue._id, { name: 'Azure', departments: [], version: 1 });
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Azure', isForEveryone: true, version: 2 } });
    expect((await callRooms('admin', 'PATCH', blue._id, {})).body).toMatchObject({ version: 2 });
    expect(await callRooms('admin', 'PATCH', blue._id, { size: 3, version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'stale_version', current: { name: 'Azure' } },
    });
    expect((await callRooms('admin', 'DELETE', blue._id)).status).toBe(204);
    expect((await callRooms('admin', 'DELETE', blue._id)).status).toBe(404);
    expect((await callRooms('admin', 'PATCH', blue._id, { size: 3 })).status).toBe(404);
    await createRoom({ name: 'Azure' });
  });

  it('are published with their changed fields on every change, but not if nothing changes', async () => {
    const { _id: roomId } = await createRoom();
    const waitForChange = (action: string) =>
      api.service.waitForEvent(roomChanged, (data) => data.roomId === roomId && data.action === action);
    expect(await waitForChange('created')).toMatchObject({
      actorId: api.users.admin._id,
      data: { changed: [], version: 1 },
    });
    await callRooms('admin', 'PATCH', roomId, { size: 8 });
    await callRooms('admin', 'PATCH', roomId, { size: 9, departments: [DESIGN] });
    expect((await waitForChange('updated')).data).toMatchObject({ changed: ['size', 'departments'], version: 2 });
    await callRooms('admin', 'DELETE', roomId);
    expect((await waitForChange('deleted')).data).toMatchObject({ changed: [], version: 3 });
    expect(api.service.countPublished(roomChanged, (data) => data.roomId === roomId)).toBe(3);
  });

  it('reject pages out of range', async () => {
    const beyond = await api.service.call('GET', '/meetings/rooms?page=1001&limit=10', { as: api.users.invitee });
    expect([beyond.status, getMessage(beyond)]).toEqual([400, 'Narrow the search to see more']);
  });

  it.each([
    ['POST', '', { name: ' ', size: 4 }, 'Room name is required'],
    ['POST', '', { name: 'Red', size: 0 }, 'A room must have a capacity of 1 to 10,000 people'],
    ['POST', '', { name: 'Red', size: 4, departments: ['f'.repeat(24)] }, 'Unknown department'],
  ])('reject %s %s %j', async (method, id, body, message) => {
    const response = await callRooms('admin', method, id, body);
    expect([response.status, getMessage(response)]).toEqual([400, message]);
  });

  it('reject changes by other users, and anonymous callers', async () => {
    const { _id } = await createRoom();
    for (const who of ['manager', 'invitee'] as const) {
      const responses = [
        await callRooms(who, 'POST', '', { name: 'Mine', size: 4 }),
        await callRooms(who, 'PATCH', _id, { size: 4 }),
        await callRooms(who, 'DELETE', _id),
      ];
      for (const response of responses)
        expect([response.status, getMessage(response)]).toEqual([403, 'Only administrators can change rooms']);
    }
    const path = '/meetings/rooms';
    const other = await createRoom();
    expect((await callRooms('admin', 'PATCH', _id, { departments: ['f'.repeat(24)] })).status).toBe(400);
    expect((await callRooms('admin', 'PATCH', _id, { name: other.name })).status).toBe(409);
    for (const [method, at] of [
      ['GET', path],
      ['POST', path],
      ['PATCH', `${path}/${_id}`],
      ['DELETE', `${path}/${_id}`],
    ])
      expect((await api.service.call(method ?? '', at ?? '')).status).toBe(401);
  });

  it('can be booked by administrators and members of their departments', async () => {
    const at = nextDay();
    const room = await createRoom({ departments: [ENGINEERING] });
    const engineer = buildUser({ role: 'project_manager', departmentId: ENGINEERING });
    const selfAssigned = buildUser({
      role: 'project_manager',
      departmentId: ENGINEERING,
      departmentSelfAssigned: true,
    });
    api.service.addToDirectory(engineer, selfAssigned);
    const book = (startTime: string) => api.buildBody({ startTime, room: room._id });
    const denied = await api.create('organizer', book(at('09:00')));
    expect([denied.status, getMessage(denied)]).toEqual([
      403,
      'This room can only be booked by members of its departments',
    ]);
    // A self-assigned department grants no access.
    expect((await api.service.call('POST', '/meetings', { as: selfAssigned, body: book(at('09:00')) })).status).toBe(
      403,
    );
    expect((await api.service.call('POST', '/meetings', { as: engineer, body: book(at('09:00')) })).status).toBe(201);
    expect((await api.create('admin', book(at('10:00')))).status).toBe(201);
    const meeting = await api.scheduleMeeting({ startTime: at('12:00') });
    expect((await api.patch('organizer', meeting._id, { room: room._id })).status).toBe(403);
    const unknown = await api.create('organizer', { room: 'f'.repeat(24) });
    expect([unknown.status, getMessage(unknown)]).toEqual([400, 'Room not found']);
    expect((await api.patch('organizer', meeting._id, { room: 'f'.repeat(24) })).status).toBe(400);
  });
});

describe('a meeting in a room', () => {
  it('has the room in its responses and in the calendar location', async () => {
    const at = nextDay();
    const room = await createRoom();
    const meeting = await api.scheduleMeeting({ startTime: at('09:00'), room: room._id, location: 'Second floor' });
    expect(meeting.room).toEqual({ _id: room._id, name: room.name });
    const { data } = await api.service.waitForEvent(meetingScheduled, ({ meetingId }) => meetingId === meeting._id);
    expect(data.location).toBe(`${room.name}, Second floor`);
    const withoutRoom = await api.patch('organizer', meeting._id, { room: null });
    expect(withoutRoom.body).toMatchObject({ room: null, location: 'Second floor' });
    const change = await api.service.waitForEvent(meetingUpdated, ({ meetingId }) => meetingId === meeting._id);
    expect(change.data).toMatchObject({
      changed: ['room'],
      location: 'Second floor',
      calendarBefore: { master: { location: data.location } },
    });
  });

  it('has the room exclusively, and a conflict reveals only room and time', async () => {
    const at = nextDay();
    const { _id: room } = await createRoom();
    await api.scheduleMeeting({ startTime: at('09:00'), room, title: 'Zebra', participants: [api.users.second._id] });
    const rejected = await api.create('manager', { startTime: at('09:30'), room });
    expect(rejected.status).toBe(409);
    expect(getMessage(rejected)).toMatch(CONFLICT);
    // The manager is in UTC.
    expect(getMessage(rejected)).toContain('8:00 AM to 9:00 AM (UTC)');
    expect(JSON.stringify(rejected.body)).not.toMatch(/Zebra|Max|Paul/);
    // A meeting may end when the next one starts.
    const next = await api.scheduleMeeting({ startTime: at('10:00'), room });
    const moved = await api.patch('organizer', next._id, { startTime: at('09:45') });
    expect([moved.status, getMessage(moved)]).toEqual([409, expect.stringMatching(CONFLICT)]);
    expect((await api.get('organizer', next._id)).body).toMatchObject({ startTime: at('10:00') });
    expect((await api.remove('organizer', next._id)).status).toBe(204);
    expect((await api.create('manager', { startTime: at('10:30'), room })).status).toBe(201);
  });

  it('keeps the room when other fields change, even if the room was deleted or the caller cannot book it', async () => {
    const at = nextDay();
    const { _id: room, name } = await createRoom();
    const meeting = await api.scheduleMeeting({ startTime: at('09:00'), room });
    await callRooms('admin', 'PATCH', room, { departments: [DESIGN] });
    expect((await api.patch('organizer', meeting._id, { title: 'Other', room })).status).toBe(200);
    await callRooms('admin', 'DELETE', room);
    const moved = await api.patch('organizer', meeting._id, { startTime: at('11:00'), endTime: at('12:00') });
    expect(moved.body).toMatchObject({ room: { _id: room, name } });
  });

  it('is the only one of many concurrent bookings of the same room', async () => {
    const at = nextDay();
    const { _id: room } = await createRoom();
    const book = (index: number) =>
      api.create('organizer', { startTime: at('09:00'), room, title: `Booking ${index}` });
    const others = await Promise.all(
      [1, 2, 3, 4].map((hour) => api.scheduleMeeting({ startTime: at(`1${hour}:00`), room })),
    );
    const responses = await Promise.all([
      ...Array.from({ length: 8 }, (_, index) => book(index)),
      ...others.map(({ _id }) => api.patch('organizer', _id, { startTime: at('09:15'), endTime: at('09:45') })),
    ]);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(responses.length - 1);
    for (const response of responses.filter(({ status }) => status === 409))
      expect(getMessage(response)).toMatch(CONFLICT);
  });

  it('can swap rooms with another meeting without a deadlock', async () => {
    const at = nextDay();
    const roomA = await createRoom();
    const roomB = await createRoom();
    const meetings = [
      await api.scheduleMeeting({ startTime: at('09:00'), room: roomA._id }),
      await api.scheduleMeeting({ startTime: at('14:00'), room: roomB._id }),
    ];
    for (let round = 0; round < 10; round += 1) {
      const newRooms = round % 2 === 0 ? [roomB, roomA] : [roomA, roomB];
      const responses = await Promise.all(
        meetings.map(({ _id }, index) => api.patch('organizer', _id, { room: newRooms[index]?._id })),
      );
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    }
  });

  it('cannot be moved onto another meeting, even by a write without a lock on the room', async () => {
    const at = nextDay();
    const { _id: room } = await createRoom();
    await api.scheduleMeeting({ startTime: at('09:00'), room });
    const later = await api.scheduleMeeting({ startTime: at('10:00'), room });
    const move = (to: string) =>
      api.service.query(
        `update meetings set starts_at = $2::timestamptz, ends_at = $2::timestamptz + interval '1 hour' where id = $1`,
        [later._id, to],
      );
    await expect(move(at('09:30'))).rejects.toMatchObject({ constraint: 'meetings_room_excl' });
    await move(at('11:00'));
  });
});

describe('a series in a room', () => {
  it('publishes the room for the whole series, and no differing occurrences', async () => {
    const room = await createRoom();
    const series = { isRecurring: true, recurringFrequency: 'weekly', recurringEndDate: berlinDay(28).slice(0, 10) };
    const first = await api.scheduleMeeting({
      startTime: berlinDay(7, '06:00'),
      room: room._id,
      location: 'Berlin',
      ...series,
    });
    await api.patch('organizer', first._id, { title: 'Renamed' }, 'all');
    const { data } = await api.service.waitForEvent(meetingUpdated, ({ meetingId }) => meetingId === first._id);
    expect(data.calendar?.master?.location).toBe(`${room.name}, Berlin`);
    expect(data.calendar?.occurrences).toEqual([]);
  });

  const daily = { isRecurring: true, recurringFrequency: 'daily' };

  it('is rejected as a whole for one conflict, and accepted once the room is free', async () => {
    const at = nextDay();
    const { _id: room } = await createRoom();
    const single = await api.scheduleMeeting({ startTime: at('09:30', 3), room });
    const days = { startTime: at('09:00'), recurringEndDate: at('09:00', 5).slice(0, 10), room, ...daily };
    const rejected = await api.create('organizer', days);
    expect([rejected.status, getMessage(rejected)]).toEqual([409, expect.stringMatching(CONFLICT)]);
    await api.patch('organizer', single._id, { room: null });
    const first = await api.scheduleMeeting(days);
    const all = await api.listOccurrences('organizer', first.seriesId);
    expect(all.map((occurrence) => occurrence.room?._id)).toEqual(Array.from({ length: 6 }, () => room));
    const conflict = await api.patch('organizer', single._id, { room });
    expect(conflict.status).toBe(409);
  });

  it('is published as one change without differing occurrences', async () => {
    const at = nextDay();
    const { _id: room, name } = await createRoom();
    const days = { startTime: at('09:00'), recurringEndDate: at('09:00', 3).slice(0, 10), room, ...daily };
    const first = await api.scheduleMeeting(days);
    await api.patch('organizer', first._id, { title: 'Renamed' }, 'all');
    const { data } = await api.service.waitForEvent(meetingUpdated, ({ calendarId }) => calendarId === first.seriesId);
    expect(data.calendar).toMatchObject({ master: { location: name, title: 'Renamed' }, occurrences: [] });
  });

  it('can move by a day onto its own occurrences, but not onto other meetings', async () => {
    const at = nextDay();
    const { _id: room } = await createRoom();
    const first = await api.scheduleMeeting({
      startTime: at('09:00'),
      recurringEndDate: at('09:00', 4).slice(0, 10),
      room,
      ...daily,
    });
    const moveBy = (days: number, time: string) =>
      api.patch('organizer', first._id, { startTime: at(time, days), endTime: at('12:00', days) }, 'all');
    expect((await moveBy(1, '09:00')).status).toBe(200);
    await api.scheduleMeeting({ startTime: at('14:00', 3), room });
    const conflict = await api.patch(
      'organizer',
      first._id,
      { startTime: at('13:30', 1), endTime: at('14:30', 1) },
      'all',
    );
    expect([conflict.status, getMessage(conflict)]).toEqual([409, expect.stringMatching(CONFLICT)]);
    const freeRoom = await createRoom();
    expect((await api.patch('organizer', first._id, { room: freeRoom._id }, 'following')).status).toBe(200);
    const all = await api.listOccurrences('organizer', first.seriesId);
    expect(new Set(all.map(({ room: bookedRoom }) => bookedRoom?.name))).toEqual(new Set([freeRoom.name]));
  });

  it('without an end is extended without the room where the room is taken', async () => {
    const { _id: room } = await createRoom();
    const first = await api.scheduleMeeting({ startTime: berlinDay(1), room, ...daily });
    const conflictDay = 380;
    const body = api.buildBody({ startTime: berlinDay(conflictDay, '09:30'), room });
    expect((await api.create('manager', body)).status).toBe(201);
    const db = createDb(api.service.env.DATABASE_URL ?? '', 2, createLogger('test', 'silent'));
    const now = new Date(Date.now() + 20 * 86_400_000);
    const deps = { db, log: createLogger('test', 'silent') };
    // The loop of the service may hold the series during this round.
    await waitFor(
      async () => {
        await fillAll(deps, { now });
        return (await api.listOccurrences('organizer', first.seriesId)).some(
          ({ startTime }) => startTime === berlinDay(conflictDay),
        );
      },
      { description: 'the series to reach the conflicting meeting' },
    );
    await db.pool.end();
    const all = await api.listOccurrences('organizer', first.seriesId);
    const withoutRoom = all.filter((occurrence) => !occurrence.room);
    expect(withoutRoom.map(({ startTime }) => startTime)).toEqual([berlinDay(conflictDay)]);
    // Calendars are updated, because they show the room of the series for each occurrence.
    const { actorId, data } = await api.service.waitForEvent(
      meetingUpdated,
      ({ calendarId }) => calendarId === first.seriesId,
    );
    expect(actorId).toBeNull();
    expect(data).toMatchObject({ meetingId: withoutRoom[0]?._id, changed: ['room'], sequence: 1, rsvpReset: false });
    expect(data.calendarBefore?.occurrences).toEqual([]);
    expect(data.calendar?.occurrences).toEqual([
      expect.objectContaining({ meetingId: withoutRoom[0]?._id, recurrenceId: berlinDay(conflictDay), location: '' }),
    ]);
  });
});

it('POST /meetings/rooms creates one room for a retry under the same key', async () => {
  const create = (key: string, name = 'Retried room') =>
    api.service.call('POST', '/meetings/rooms', {
      as: api.users.admin,
      headers: { 'idempotency-key': key },
      body: { name, size: 4 },
    });
  const first = await create('room-retry');
  const retry = await create('room-retry');
  expect([first.status, retry.status]).toEqual([201, 201]);
  expect(retry.body).toEqual(first.body);
  expect((await create('room-retry', 'Other room')).status).toBe(409);
});
