import { meetingScheduled } from '@atrium/proto-events/events/meetings';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inHours, startMeetings, type TestUserName } from './factories.ts';

const UNKNOWN = 'f'.repeat(24);
type MeetingsApi = Awaited<ReturnType<typeof startMeetings>>;
let api: MeetingsApi;

beforeAll(async () => {
  api = await startMeetings();
});
afterAll(() => api.service.close());

const messageOf = (body: unknown) => (body as { message: unknown }).message;

describe('POST /meetings', () => {
  it('schedules a meeting that includes the organizer, and publishes everything an invitation needs', async () => {
    const { status, body } = await api.create('organizer', { location: 'Room Linden', agenda: '1. Hello' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      title: 'Portal stand-up',
      seriesId: null,
      timezone: 'Europe/Berlin',
      location: 'Room Linden',
      isRecurring: false,
      isPast: false,
      organizer: { _id: api.users.organizer._id, firstName: 'Paul' },
      participants: [
        { _id: api.users.organizer._id, responseStatus: 'accepted' },
        { _id: api.users.invitee._id, firstName: 'Mia', responseStatus: 'pending' },
      ],
      abilities: { update: true, delete: true, addNotes: true, respond: false },
    });
    const meeting = body as Meeting;
    const event = await api.service.waitForEvent(meetingScheduled, (data) => data.meetingId === meeting._id);
    expect(event.actorId).toBe(api.users.organizer._id);
    const entry = {
      title: 'Portal stand-up',
      description: '',
      agenda: '1. Hello',
      location: 'Room Linden',
      meetingLink: 'https://meet.example.org/portal',
      startTime: meeting.startTime,
      endTime: meeting.endTime,
      timezone: 'Europe/Berlin',
      recurrence: null,
      participantIds: [api.users.organizer._id, api.users.invitee._id],
    };
    expect(event.data).toEqual({
      ...entry,
      meetingId: meeting._id,
      seriesId: null,
      calendarId: meeting._id,
      sequence: 0,
      recurrenceId: null,
      organizerId: api.users.organizer._id,
      version: 1,
      project: null,
      calendar: { timezone: 'Europe/Berlin', master: { ...entry, answers: [], excludedStarts: [] }, occurrences: [] },
    });
  });

  it('reports every missing field with the specified messages', async () => {
    const { status, body } = await api.service.call('POST', '/meetings', { as: api.users.admin, body: {} });
    expect(status).toBe(400);
    expect(messageOf(body)).toEqual([
      'Meeting title is required',
      'Meeting type is required',
      'Start time is required',
      'End time is required',
      'Meeting link is required',
      'At least one participant is required',
    ]);
  });

  it.each([
    [{ title: '  ' }, 'Meeting title is required'],
    [{ type: 'party' }, 'Meeting type is required'],
    [{ startTime: inHours(2), endTime: inHours(2) }, 'End time must be after start time'],
    [{ startTime: inHours(-2) }, 'Meeting time cannot be in the past'],
    [{ meetingLink: '' }, 'Meeting link is required'],
    [{ meetingLink: 'nowhere' }, 'Please enter a valid URL'],
    [{ meetingLink: 'javascript:alert(1)' }, 'Please enter a valid URL'],
    [{ participants: [] }, 'At least one participant is required'],
    [{ participants: [UNKNOWN] }, 'Participants must be active users'],
    [{ participants: ['me'] }, 'Invalid id'],
    [{ timezone: 'Mars/Olympus' }, 'Unknown time zone'],
    [{ isRecurring: true }, 'Frequency is required for recurring meetings'],
    [{ startTime: inHours(2), endTime: inHours(26.001) }, 'A meeting can last at most 24 hours'],
    [{ meetingLink: 'https://ada:secret@meet.example.org/portal' }, 'Please enter a valid URL'],
    [
      { isRecurring: true, recurringFrequency: 'daily', recurringEndDate: '2020-01-01' },
      'The end date must not be before the meeting',
    ],
  ])('rejects %j', async (overrides, message) => {
    const { status, body } = await api.create('organizer', overrides);
    expect(status).toBe(400);
    expect(messageOf(body)).toEqual([message]);
  });

  it('stores the normalized form of a meeting link', async () => {
    const { meetingLink } = await api.scheduleMeeting({ meetingLink: ' HTTPS://Meet.Example.org/po\r\nrtal?a=b c ' });
    expect(meetingLink).toBe('https://meet.example.org/portal?a=b%20c');
  });

  it('rejects a change of only the start that makes a meeting longer than 24 hours', async () => {
    const { _id } = await api.scheduleMeeting({ startTime: inHours(2), endTime: inHours(26) });
    const { status, body } = await api.patch('organizer', _id, { startTime: inHours(1) });
    expect([status, messageOf(body)]).toEqual([400, ['A meeting can last at most 24 hours']]);
  });

  it('rejects inactive participants', async () => {
    const { status, body } = await api.create('organizer', { participants: [api.users.inactive._id] });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      errors: [{ path: 'body.participants', message: 'Participants must be active users' }],
    });
  });

  it('rejects anonymous callers with 401 and members with 403 and a message', async () => {
    expect((await api.service.call('POST', '/meetings', { body: {} })).status).toBe(401);
    const { status, body } = await api.create('invitee');
    expect(status).toBe(403);
    expect(messageOf(body)).toBe('Only Admin and Project Manager can schedule meetings');
  });

  it('returns the first response for a repeated Idempotency-Key and creates one meeting', async () => {
    const headers = { 'Idempotency-Key': 'the-same' };
    const body = api.buildBody({ title: 'Created once' });
    const post = () => api.service.call('POST', '/meetings', { as: api.users.organizer, body, headers });
    const [first, second] = await Promise.all([post(), post()]);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    const { data } = await api.list('organizer');
    expect(data.filter(({ title }) => title === 'Created once')).toHaveLength(1);
  });

  it('rejects malformed JSON, bodies over 1 MB, and other media types', async () => {
    const post = (body: string, headers = {}) =>
      api.service.call('POST', '/meetings', { as: api.users.organizer, body, headers });
    expect((await post('{"title":')).status).toBe(400);
    expect((await post(JSON.stringify({ title: 'x'.repeat(1_100_000) }))).status).toBe(413);
    expect((await post('title=x', { 'content-type': 'text/plain' })).status).toBe(415);
  });
});

describe('GET /meetings/:id', () => {
  it('returns a meeting to its organizer, participants, and administrators only', async () => {
    const { _id } = await api.scheduleMeeting();
    for (const who of ['organizer', 'invitee', 'admin'] as const) expect((await api.get(who, _id)).status).toBe(200);
    for (const who of ['manager', 'stranger'] as const) expect((await api.get(who, _id)).status).toBe(404);
    expect((await api.service.call('GET', `/meetings/${_id}`)).status).toBe(401);
  });

  it('returns the abilities of the caller', async () => {
    const { _id } = await api.scheduleMeeting({ participants: [api.users.invitee._id, api.users.manager._id] });
    const abilities = async (who: 'invitee' | 'manager' | 'admin') => (await api.get(who, _id)).body;
    expect(await abilities('invitee')).toMatchObject({
      abilities: { update: false, delete: false, addNotes: false, respond: true },
    });
    expect(await abilities('manager')).toMatchObject({
      abilities: { update: true, delete: true, addNotes: true, respond: true },
    });
    expect(await abilities('admin')).toMatchObject({ abilities: { update: true, respond: false } });
  });

  it('responds with 404 for an unknown or malformed id', async () => {
    expect((await api.get('admin', UNKNOWN)).status).toBe(404);
    expect((await api.get('admin', 'nonsense')).status).toBe(404);
  });
});

describe('GET /meetings', () => {
  it('paginates visible upcoming meetings, soonest first', async () => {
    const ownApi = await startMeetings();
    const later = await ownApi.scheduleMeeting({ title: 'later', startTime: inHours(50) });
    const sooner = await ownApi.scheduleMeeting({ title: 'sooner', startTime: inHours(5) });
    const others = await ownApi.scheduleMeeting({ title: 'others', participants: [ownApi.users.second._id] }, 'admin');

    const list = await ownApi.list('invitee', '&timeFilter=upcoming');
    expect(list.data.map(({ _id }) => _id)).toEqual([sooner._id, later._id]);
    expect(list).toMatchObject({ total: 2, page: 1, totalPages: 1 });
    expect((await ownApi.list('admin')).data.map(({ _id }) => _id)).toEqual([sooner._id, later._id, others._id]);
    expect((await ownApi.list('invitee', '&timeFilter=past')).data).toEqual([]);

    const second = await ownApi.service.call('GET', '/meetings?limit=1&page=2', { as: ownApi.users.invitee });
    expect(second.body).toMatchObject({ data: [{ _id: later._id }], total: 2, page: 2, totalPages: 2 });

    const range = await ownApi.list('invitee', `&from=${inHours(40)}&to=${inHours(60)}`);
    expect(range.data.map(({ _id }) => _id)).toEqual([later._id]);
    // PostgreSQL rejects offsets of sixteen hours and more.
    const offset = encodeURIComponent('0497-05-20T13:31:52-19:08');
    expect((await ownApi.list('invitee', `&from=${offset}`)).data).toHaveLength(2);
    await ownApi.service.close();
  });

  it('rejects an invalid range and anonymous callers', async () => {
    for (const range of ['from=tomorrow', 'from=0000-01-01T00:00:00Z', 'to=9999-12-31T23:59:59-10:00']) {
      const { status } = await api.service.call('GET', `/meetings?${range}`, { as: api.users.admin });
      expect([range, status]).toEqual([range, 400]);
    }
    expect((await api.service.call('GET', '/meetings')).status).toBe(401);
  });
});

describe('participants in a list of meetings', () => {
  it('are limited to six by default, always include the caller, and are counted', async () => {
    const crowd = Array.from({ length: 9 }, () => buildUser());
    api.service.addToDirectory(...crowd);
    const project = api.addProject();
    const participants = [...crowd.map((user) => user._id), api.users.second._id];
    const { _id } = await api.scheduleMeeting({ participants, project });
    await api.respond('second', _id, 'tentative');
    for (const path of ['/meetings?', '/meetings/upcoming?', `/meetings/project/${project}?`]) {
      const read = async (who: TestUserName, query: string) => {
        const { body } = await api.service.call('GET', `${path}limit=100${query}`, { as: api.users[who] });
        const all = Array.isArray(body) ? (body as Meeting[]) : (body as { data: Meeting[] }).data;
        return all.find((meeting) => meeting._id === _id);
      };
      const ownList = await read('second', '&people=6');
      expect(ownList).toMatchObject({ participantCount: 11, abilities: { respond: true } });
      expect(ownList?.participants).toHaveLength(6);
      expect(ownList?.participants.at(-1)).toMatchObject({ _id: api.users.second._id, responseStatus: 'tentative' });
      expect((await read('organizer', '&people=6'))?.participants).toEqual(
        (await read('organizer', '&people=all'))?.participants.slice(0, 6),
      );
      expect((await read('second', ''))?.participants).toEqual(ownList?.participants);
      expect((await read('second', '&people=all'))?.participants).toHaveLength(11);
    }
  });
});

describe('GET /meetings/upcoming', () => {
  it('returns the next meetings of the caller as an array, even for administrators', async () => {
    const { _id } = await api.scheduleMeeting({ startTime: inHours(1) });
    const upcoming = async (who: 'invitee' | 'admin') =>
      (await api.service.call('GET', '/meetings/upcoming?limit=2', { as: api.users[who] })).body as Meeting[];
    const inviteesMeetings = await upcoming('invitee');
    expect(inviteesMeetings).toHaveLength(2);
    expect(inviteesMeetings[0]?._id).toBe(_id);
    expect(await upcoming('admin')).toEqual([]);
    expect((await api.service.call('GET', '/meetings/upcoming')).status).toBe(401);
  });
});

it('GET /meetings/upcoming lists each series once on request, with the number of further meetings', async () => {
  const guest = buildUser();
  api.service.addToDirectory(guest);
  const participants = [guest._id];
  const weekly = { isRecurring: true, recurringFrequency: 'weekly', recurringEndDate: inHours(24 * 30).slice(0, 10) };
  const first = await api.scheduleMeeting({ ...weekly, startTime: inHours(24), participants });
  const single = await api.scheduleMeeting({ startTime: inHours(48), participants });
  const { body } = await api.service.call('GET', '/meetings/upcoming?series=once', { as: guest });
  expect(body).toMatchObject([
    { _id: first._id, moreInSeries: 4, isClosed: false },
    { _id: single._id, moreInSeries: 0 },
  ]);
  expect(body).toHaveLength(2);
  const unknown = await api.service.call('GET', '/meetings/upcoming?series=twice', { as: guest });
  expect(unknown).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
});

describe('the list that shows each series once', () => {
  const weekly = () => ({
    isRecurring: true,
    recurringFrequency: 'weekly',
    recurringEndDate: inHours(24 * 30).slice(0, 10),
  });

  it('counts and paginates rows, and expands a series by its id', async () => {
    const guest = buildUser();
    api.service.addToDirectory(guest);
    const participants = [guest._id];
    const project = api.addProject();
    const first = await api.scheduleMeeting({ ...weekly(), startTime: inHours(24), participants, project });
    const single = await api.scheduleMeeting({ startTime: inHours(48), participants });
    const list = async (query: string, path = '/meetings') =>
      (await api.service.call('GET', `${path}?timeFilter=upcoming&${query}`, { as: guest })).body;
    expect(await list('series=once&limit=1')).toMatchObject({
      data: [{ _id: first._id, moreInSeries: 4 }],
      total: 2,
      totalPages: 2,
    });
    expect(await list('series=once&limit=1&page=2')).toMatchObject({ data: [{ _id: single._id, moreInSeries: 0 }] });
    expect(await list(`seriesId=${first.seriesId}`)).toMatchObject({
      total: 5,
      data: Array(5).fill({ seriesId: first.seriesId }),
    });
    expect(await list('')).toMatchObject({ total: 6 });
    expect(await list('series=once', `/meetings/project/${project}`)).toMatchObject({
      total: 1,
      data: [{ _id: first._id, moreInSeries: 4 }],
    });
  });

  it('shows the next occurrence of a series whose first one is canceled', async () => {
    const guest = buildUser();
    api.service.addToDirectory(guest);
    const first = await api.scheduleMeeting({ ...weekly(), startTime: inHours(24), participants: [guest._id] });
    expect((await api.service.call('DELETE', `/meetings/${first._id}`, { as: api.users.organizer })).status).toBe(204);
    const { body } = await api.service.call('GET', '/meetings?timeFilter=upcoming&series=once', { as: guest });
    expect(body).toMatchObject({ total: 1, data: [{ seriesId: first.seriesId, moreInSeries: 3 }] });
    const outsider = { as: api.users.second };
    const outsidersList = await api.service.call('GET', `/meetings?seriesId=${first.seriesId}`, outsider);
    expect(outsidersList.body).toMatchObject({ total: 0, data: [] });
  });
});

describe('the project of a meeting', () => {
  const NOT_FOUND = { status: 400, body: { message: ['Project not found'], errors: [{ path: 'body.project' }] } };

  it('must exist when a meeting is scheduled or changed', async () => {
    const deletedId = api.addProject({ deleted: true });
    for (const project of [newId(), deletedId]) {
      expect(await api.create('organizer', { project })).toMatchObject(NOT_FOUND);
      const meeting = await api.scheduleMeeting();
      expect(await api.patch('organizer', meeting._id, { project })).toMatchObject(NOT_FOUND);
      expect((await api.get('organizer', meeting._id)).body).toMatchObject({ project: null, version: 1 });
    }
    const project = api.addProject();
    expect((await api.create('organizer', { project })).body).toMatchObject({ project });
  });

  it('is unavailable while the project directory is incomplete, and then rejected if unknown', async () => {
    const newApi = await startMeetings();
    try {
      const project = newId();
      const { _id } = await newApi.scheduleMeeting();
      const unavailable = { status: 503, body: { code: 'unavailable' } };
      const [created, changed] = await Promise.all([
        newApi.create('organizer', { project }),
        newApi.patch('organizer', _id, { project }),
      ]);
      expect([created, changed]).toMatchObject([unavailable, unavailable]);
      expect(created.headers.get('retry-after')).toBe('5');
      newApi.addProject();
      expect(await newApi.create('organizer', { project })).toMatchObject(NOT_FOUND);
    } finally {
      await newApi.service.close();
    }
  });

  it('can be a project that was just created, and stays after its deletion', async () => {
    const project = newId();
    const createRequest = api.create('organizer', { project });
    api.addProject({ _id: project });
    const { status, body } = await createRequest;
    expect(status).toBe(201);
    api.addProject({ _id: project, deleted: true, version: 2 });
    const change = { title: 'Still in the project', project };
    expect((await api.patch('organizer', (body as Meeting)._id, change)).body).toMatchObject(change);
  });
});

describe('GET /meetings/project/:id', () => {
  const listProject = async (as: Parameters<MeetingsApi['list']>[0], id: string, query = '') => {
    const { status, body } = await api.service.call('GET', `/meetings/project/${id}${query}`, { as: api.users[as] });
    return { status, body: body as { data: Meeting[]; total: number; totalPages: number } };
  };

  it('paginates the visible meetings of one project', async () => {
    const project = api.addProject();
    const later = await api.scheduleMeeting({ project, startTime: inHours(60) });
    const sooner = await api.scheduleMeeting({ project, startTime: inHours(50) });
    await api.scheduleMeeting({ project: api.addProject() });
    await api.scheduleMeeting({ project, participants: [api.users.second._id] });
    const { status, body } = await listProject('invitee', project);
    expect(status).toBe(200);
    expect(body.data.map(({ _id }) => _id)).toEqual([sooner._id, later._id]);
    expect((await listProject('admin', project)).body.total).toBe(3);
    expect((await listProject('stranger', project)).body).toMatchObject({ data: [], total: 0 });
    const second = await listProject('invitee', project, '?page=2&limit=1&timeFilter=upcoming');
    expect(second.body).toMatchObject({ data: [{ _id: later._id }], total: 2, totalPages: 2 });
    expect((await listProject('invitee', project, '?timeFilter=past')).body.total).toBe(0);
  });

  it('responds with 404 for a malformed id, 400 for an invalid time, and 401 to anonymous callers', async () => {
    expect((await listProject('admin', 'nowhere')).status).toBe(404);
    expect((await listProject('admin', newId(), '?timeFilter=never')).status).toBe(400);
    expect((await api.service.call('GET', `/meetings/project/${newId()}`)).status).toBe(401);
  });
});
