import type { CalendarMeeting } from '@atrium/proto-events/http/meetings/meetings';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { berlin, startMeetings, type TestUserName } from './factories.ts';

let api: Awaited<ReturnType<typeof startMeetings>>;

beforeAll(async () => {
  api = await startMeetings();
});
afterAll(() => api.service.close());

/** Returns a time on a Tuesday of a future year. Each test uses its own week. */
const tuesday = (week: number, time: string) => {
  const day = new Date(Date.UTC(2032, 0, 6 + week * 7)).toISOString().slice(0, 10);
  return berlin(`${day}T${time}`);
};

const getCalendar = (who: TestUserName | undefined, query: string) =>
  api.service.call('GET', `/meetings/calendar?${query}`, who === undefined ? {} : { as: api.users[who] });

async function listDay(who: TestUserName, week: number, extraQuery = ''): Promise<CalendarMeeting[]> {
  const { status, body } = await getCalendar(
    who,
    `from=${tuesday(week, '00:00')}&to=${tuesday(week, '23:59')}${extraQuery}`,
  );
  expect(status).toBe(200);
  return (body as { data: CalendarMeeting[] }).data;
}

describe('GET /meetings/calendar', () => {
  it('returns all meetings of a range by start, without text fields and participants', async () => {
    const week = 1;
    const lateMeeting = await api.scheduleMeeting({
      title: 'Late',
      startTime: tuesday(week, '15:00'),
      notes: 'secret',
    });
    const earlyMeeting = await api.scheduleMeeting({
      title: 'Early',
      startTime: tuesday(week, '09:00'),
      participants: [api.users.invitee._id, api.users.second._id],
      agenda: 'secret',
    });
    await api.scheduleMeeting({ title: 'A different day', startTime: tuesday(week + 1, '09:00') });
    await api.respond('invitee', earlyMeeting._id, 'tentative');
    const inviteeMeetings = await listDay('invitee', week);
    expect(inviteeMeetings.map(({ _id }) => _id)).toEqual([earlyMeeting._id, lateMeeting._id]);
    expect(inviteeMeetings[0]).toEqual({
      _id: earlyMeeting._id,
      seriesId: null,
      title: 'Early',
      type: 'standup',
      startTime: tuesday(week, '09:00'),
      endTime: tuesday(week, '10:00'),
      timezone: 'Europe/Berlin',
      location: '',
      meetingLink: earlyMeeting.meetingLink,
      project: null,
      room: null,
      organizer: earlyMeeting.organizer,
      isRecurring: false,
      isPast: false,
      version: 2,
      abilities: { update: false, delete: false, addNotes: false, respond: true },
      participantCount: 3,
      response: 'tentative',
    });
    const organizerMeetings = await listDay('organizer', week);
    expect(organizerMeetings[0]).toMatchObject({ response: 'accepted', abilities: { update: true, respond: false } });
  });

  it('includes meetings that overlap the range, but not those that end at its start', async () => {
    const week = 3;
    const from = tuesday(week, '00:00');
    const to = tuesday(week, '23:59');
    const before = (hours: number) => new Date(Date.parse(from) - hours * 3_600_000).toISOString();
    const overlapping = await api.scheduleMeeting({ startTime: before(1), endTime: tuesday(week, '01:00') });
    await api.scheduleMeeting({ startTime: before(1), endTime: from });
    await api.scheduleMeeting({ startTime: to });
    expect((await listDay('invitee', week)).map(({ _id }) => _id)).toEqual([overlapping._id]);
  });

  it('returns the meetings of the caller, or of all users for an administrator on request', async () => {
    const week = 5;
    const project = api.addProject();
    const { _id } = await api.scheduleMeeting({ startTime: tuesday(week, '09:00'), project });
    const { _id: otherId } = await api.scheduleMeeting({ startTime: tuesday(week, '10:00') });
    const listIds = async (who: TestUserName, extraQuery = '') =>
      (await listDay(who, week, extraQuery)).map((meeting) => meeting._id);
    expect(await listIds('admin')).toEqual([]);
    expect(await listIds('admin', '&whose=all')).toEqual([_id, otherId]);
    expect(await listIds('admin', `&whose=all&project=${project}`)).toEqual([_id]);
    expect(await listIds('invitee', `&project=${project}`)).toEqual([_id]);
    for (const who of ['stranger', 'manager'] as const) {
      expect(await listIds(who, '&whose=all')).toEqual([]);
      expect(await listIds(who, `&whose=all&project=${project}`)).toEqual([]);
    }
    const [meeting] = await listDay('admin', week, '&whose=all');
    expect(meeting).toMatchObject({ response: null, abilities: { update: true, respond: false } });
  });

  it('defaults to the next 62 days', async () => {
    const ownApi = await startMeetings();
    const { _id } = await ownApi.scheduleMeeting();
    await ownApi.scheduleMeeting({ startTime: new Date(Date.now() + 70 * 864e5).toISOString() });
    const { body } = await ownApi.service.call('GET', '/meetings/calendar', { as: ownApi.users.invitee });
    expect(body).toMatchObject({ data: [{ _id }], more: false });
    await ownApi.service.close();
  });

  it('rejects invalid and oversized ranges, and anonymous callers', async () => {
    const from = tuesday(8, '00:00');
    const to = tuesday(17, '00:00');
    const reject = async (query: string) => (await getCalendar('invitee', query)).body;
    expect(await reject('from=tomorrow')).toMatchObject({ message: ['Invalid date'] });
    expect(await reject(`from=${to}&to=${from}`)).toMatchObject({ message: ['End time must be after start time'] });
    expect(await reject(`from=${from}&to=${to}`)).toMatchObject({ message: ['A calendar shows at most 62 days'] });
    expect((await getCalendar('invitee', 'whose=theirs')).status).toBe(400);
    expect((await getCalendar('invitee', 'project=none')).status).toBe(400);
    expect((await getCalendar(undefined, `from=${from}`)).status).toBe(401);
  });
});
