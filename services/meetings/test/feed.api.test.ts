import { accountSecured } from '@atrium/proto-events/events/auth';
import { feedCreated } from '@atrium/proto-events/events/meetings';
import type { Feed } from '@atrium/proto-events/http/meetings/calendar-feed';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb, type Queryable } from '@atrium/service-kit/postgres/postgres';
import { buildUser } from '@atrium/test-kit/build-user';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import { listUserMeetings, listUserSeries } from '../src/calendar-feed/user-meetings.ts';
import { berlinDay, inHours, startMeetings, type TestUserName } from './factories.ts';

let api: Awaited<ReturnType<typeof startMeetings>>;
beforeAll(async () => {
  api = await startMeetings();
});
afterAll(() => api.service.close());

const callFeed = (as: TestUserName, method: string) =>
  api.service.call(method, '/meetings/feed', { as: api.users[as] });
const readFeed = (token: string, headers: Record<string, string> = {}) =>
  api.service.call('GET', `/meetings/feed/${token}.ics`, { headers });

async function createFeed(as: TestUserName): Promise<string> {
  const { status, body } = await callFeed(as, 'POST');
  expect(status).toBe(201);
  return (body as { token: string }).token;
}

async function parse(token: string) {
  const response = await readFeed(token);
  expect(response.status).toBe(200);
  const calendar = new ICAL.Component(ICAL.parse(String(response.body)));
  const events = calendar.getAllSubcomponents('vevent');
  const findByTitle = (title: string) => events.filter((event) => event.getFirstPropertyValue('summary') === title);
  return { response, text: String(response.body), calendar, events, findByTitle };
}

const getPartstat = (event: ICAL.Component | undefined, email: string) =>
  event
    ?.getAllProperties('attendee')
    .find((attendee) => attendee.getFirstValue() === `mailto:${email}`)
    ?.getFirstParameter('partstat');
const getValue = (event: ICAL.Component | undefined, name: string) => String(event?.getFirstPropertyValue(name));

describe('the URL of a calendar feed', () => {
  it('is revoked together with the sessions of its owner, and its creation is published', async () => {
    const { _id: userId } = api.users.second;
    for (const reason of ['password-changed', 'signed-out-everywhere', 'ended-by-administrator'] as const) {
      const token = await createFeed('second');
      const other = await createFeed('stranger');
      await api.service.deliver(accountSecured, { userId, reason }, 2);
      expect([(await readFeed(token)).status, (await readFeed(other)).status]).toEqual([404, 200]);
      expect((await callFeed('second', 'GET')).body).toEqual({ feed: null });
      expect((await callFeed('stranger', 'DELETE')).status).toBe(204);
    }
    const created = await api.service.waitForEvent(feedCreated, (data) => data.userId === userId);
    expect(created.actorId).toBe(userId);
  });

  it('is returned once, stored as a hash, replaced by the next one, and revocable', async () => {
    expect((await callFeed('second', 'GET')).body).toEqual({ feed: null });
    const { body } = await callFeed('second', 'POST');
    const { token, feed } = body as { token: string; feed: Feed };
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(feed.readAt).toBeNull();
    expect((await callFeed('second', 'GET')).body).toEqual({ feed });
    expect(JSON.stringify(await api.service.query('select * from feeds'))).not.toContain(token);

    expect((await readFeed(token)).status).toBe(200);
    const usedFeed = (await callFeed('second', 'GET')).body as { feed: Feed };
    expect(Date.parse(usedFeed.feed.readAt ?? '')).toBeGreaterThan(Date.now() - 60_000);

    const next = await createFeed('second');
    expect([(await readFeed(token)).status, (await readFeed(next)).status]).toEqual([404, 200]);
    expect((await callFeed('second', 'DELETE')).status).toBe(204);
    expect([(await readFeed(next)).status, (await callFeed('second', 'GET')).body]).toEqual([404, { feed: null }]);
    expect((await callFeed('second', 'DELETE')).status).toBe(204);
  });

  it('is managed only by signed-in users, and responds with 404 to a wrong guess', async () => {
    for (const method of ['GET', 'POST', 'DELETE'])
      expect((await api.service.call(method, '/meetings/feed')).status).toBe(401);
    for (const guess of ['x'.repeat(43), 'x'.repeat(42), 'a b'])
      expect((await readFeed(encodeURIComponent(guess))).body).toMatchObject({ code: 'not_found' });
  });

  it('is revoked when its owner is deactivated, and stays revoked on reactivation', async () => {
    const token = await createFeed('stranger');
    expect((await readFeed(token)).status).toBe(200);
    const { stranger } = api.users;
    api.service.addToDirectory({ ...stranger, status: 'inactive', version: stranger.version + 1 });
    expect((await readFeed(token)).status).toBe(404);
    const isRevoked = async () =>
      (await api.service.query('select 1 from feeds where user_id = $1', [stranger._id])).length === 0;
    await waitFor(isRevoked, { description: 'the feed to be revoked' });
    api.service.addToDirectory({ ...stranger, version: stranger.version + 2 });
    expect((await readFeed(token)).status).toBe(404);
  });
});

describe('a calendar feed', () => {
  it('contains the meetings of its owner with RSVPs, but no notes', async () => {
    const token = await createFeed('invitee');
    const declined = await api.scheduleMeeting({ title: 'Declined', description: 'About it', location: 'Berlin' });
    await api.respond('invitee', declined._id, 'declined');
    await api.patch('organizer', declined._id, { notes: 'Written down', summary: 'In short' });
    await api.scheduleMeeting({ title: "Other users' meeting", participants: [api.users.second._id] });
    const { response, text, calendar, events, findByTitle } = await parse(token);
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(calendar.getFirstPropertyValue('method')).toBeNull();
    expect(getValue(calendar, 'x-wr-calname')).toBe(`Atrium: Mia ${api.users.invitee.lastName}`);
    expect(text).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT15M');
    expect(events.map((event) => getValue(event, 'summary'))).toEqual(['Declined']);
    const [event] = findByTitle('Declined');
    expect(getValue(event, 'description')).toContain('About it');
    expect(getPartstat(event, api.users.invitee.email)).toBe('DECLINED');
    expect(getValue(event, 'transp')).toBe('TRANSPARENT');
    expect(text).not.toMatch(/Written down|In short/);
    expect(getValue(event, 'uid')).toBe(`${declined._id}@atrium`);
  });

  it('contains a series as a rule, with moved occurrences and without canceled and uninvited ones', async () => {
    const token = await createFeed('second');
    const first = await api.scheduleMeeting({
      title: 'Daily',
      startTime: berlinDay(3),
      isRecurring: true,
      recurringFrequency: 'daily',
      recurringEndDate: berlinDay(9).slice(0, 10),
      participants: [api.users.second._id],
    });
    const all = await api.listOccurrences('organizer', first.seriesId);
    const [, moved, canceled, uninvited] = all;
    await api.patch('organizer', moved?._id ?? '', {
      startTime: berlinDay(4, '15:00'),
      endTime: berlinDay(4, '16:00'),
    });
    await api.remove('organizer', canceled?._id ?? '');
    await api.patch('organizer', uninvited?._id ?? '', { participants: [] });
    const { findByTitle } = await parse(token);
    const [master, ...overrides] = findByTitle('Daily');
    expect(getValue(master, 'rrule')).toContain('FREQ=DAILY');
    const excludedStarts = master?.getAllProperties('exdate').map((property) => String(property.getFirstValue()));
    expect(excludedStarts?.map((start) => start.slice(0, 10)).toSorted()).toEqual(
      [canceled, uninvited].map((occurrence) => occurrence?.startTime.slice(0, 10)).toSorted(),
    );
    expect(overrides.map((event) => getValue(event, 'dtstart').slice(11, 16))).toEqual(['15:00']);
  });

  it('is a valid calendar without meetings for an administrator who is invited to none', async () => {
    const { calendar, events } = await parse(await createFeed('admin'));
    expect(events).toEqual([]);
    expect(calendar.getAllSubcomponents()).not.toEqual([]);
  });

  it('names only its owner as a participant of very large meetings', async () => {
    const crowd = Array.from({ length: 120 }, (_, index) => ({
      ...api.users.second,
      _id: (index + 1).toString(16).padStart(24, 'c'),
      email: `crowd-${index}@example.org`,
    }));
    api.service.addToDirectory(...crowd);
    const participants = crowd.map(({ _id }) => _id);
    await api.scheduleMeeting({ title: 'Assembly', participants });
    const series = { isRecurring: true, recurringFrequency: 'weekly', recurringEndDate: berlinDay(30).slice(0, 10) };
    await api.scheduleMeeting({ title: 'Assemblies', participants, ...series });
    const [user] = crowd;
    if (!user) throw new Error('Crowd is empty');
    const created = await api.service.call('POST', '/meetings/feed', { as: user });
    const { findByTitle, events } = await parse((created.body as { token: string }).token);
    for (const title of ['Assembly', 'Assemblies']) {
      const addresses = findByTitle(title)[0]
        ?.getAllProperties('attendee')
        .map((attendee) => attendee.getFirstValue());
      expect(addresses).toEqual([`mailto:${user.email}`]);
    }
    expect(events).toHaveLength(2);
  });

  it('contains past meetings of the last ninety days', async () => {
    const token = await createFeed('manager');
    const past = await api.scheduleMeeting({ title: 'Long ago', participants: [api.users.manager._id] });
    const shift = (days: number) =>
      api.service.query(
        `with moved as (update meetings set starts_at = now() - $2 * interval '1 day', ends_at = now() - $2 * interval '1 day' + interval '1 hour'
           where id = $1 returning id, starts_at, ends_at)
         update participants p set starts_at = m.starts_at, ends_at = m.ends_at from moved m where p.meeting_id = m.id`,
        [past._id, days],
      );
    await shift(89);
    expect((await parse(token)).findByTitle('Long ago')).toHaveLength(1);
    await shift(92);
    expect((await parse(token)).findByTitle('Long ago')).toHaveLength(0);
  });
});

describe('a calendar feed that is requested again', () => {
  it('responds with 304 while unchanged, without generating a calendar', async () => {
    const token = await createFeed('organizer');
    const { seriesId } = await api.scheduleMeeting({
      isRecurring: true,
      recurringFrequency: 'weekly',
      recurringEndDate: berlinDay(30).slice(0, 10),
    });
    const first = await readFeed(token);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{32}"$/);
    // Generating this calendar would fail.
    const setZone = (zone: string) =>
      api.service.query('update series set timezone = $2 where id = $1', [seriesId, zone]);
    await setZone('No/where');
    for (const cachedEtag of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const response = await readFeed(token, { 'if-none-match': cachedEtag });
      expect([cachedEtag, response.status, response.body, response.headers.get('etag')]).toEqual([
        cachedEtag,
        304,
        '',
        etag,
      ]);
    }
    expect((await readFeed(token)).status).toBe(500);
    await setZone('Europe/Berlin');
    expect((await readFeed(token)).body).toBe(first.body);
  });

  it('has a new ETag after every visible change', async () => {
    const token = await createFeed('organizer');
    const created = await api.service.call('POST', '/meetings/rooms', {
      as: api.users.admin,
      body: { name: 'Den', size: 9 },
    });
    const room = (created.body as { _id: string })._id;
    const slot = { startTime: inHours(30), endTime: inHours(31), room };
    const meeting = await api.scheduleMeeting({ title: 'Watched', ...slot });
    const { invitee } = api.users;
    const changes: Record<string, () => Promise<unknown> | unknown> = {
      'a title change': () => api.patch('organizer', meeting._id, { title: 'Watched well' }),
      'an RSVP': () => api.respond('invitee', meeting._id, 'tentative'),
      'a new name of a room': () =>
        api.service.call('PATCH', `/meetings/rooms/${room}`, { as: api.users.admin, body: { name: 'Cave' } }),
      'a new name of a participant': () =>
        api.service.addToDirectory({ ...invitee, lastName: 'Renamed', version: invitee.version + 1 }),
      'an additional meeting': () => api.scheduleMeeting({ title: 'One more' }),
      'a canceled meeting': () => api.remove('organizer', meeting._id),
    };
    for (const [name, change] of Object.entries(changes)) {
      const before = await readFeed(token);
      await change();
      const after = await readFeed(token, { 'if-none-match': before.headers.get('etag') ?? '' });
      expect([name, after.status, after.body === before.body]).toEqual([name, 200, false]);
    }
  });
});

describe('the ETag of a calendar feed', () => {
  it('ignores changes of unnamed users and hidden fields, but not of visible names', async () => {
    const token = await createFeed('manager');
    const { second, admin, manager } = api.users;
    const created = await api.create('manager', { title: 'Steady', participants: [second._id] });
    expect(created.status).toBe(201);
    const etag = (await readFeed(token)).headers.get('etag') ?? '';
    api.service.addToDirectory({ ...admin, lastName: 'Renamed', version: admin.version + 1 });
    api.service.addToDirectory({ ...second, avatar: 'new.png', version: second.version + 1 });
    expect((await readFeed(token, { 'if-none-match': etag })).status).toBe(304);
    api.service.addToDirectory({ ...second, lastName: 'Renamed', version: second.version + 2 });
    const renamed = await readFeed(token, { 'if-none-match': etag });
    expect([renamed.status, String(renamed.body).includes('Renamed')]).toEqual([200, true]);
    api.service.addToDirectory({ ...manager, lastName: 'Renamed', version: manager.version + 1 });
    expect((await readFeed(token, { 'if-none-match': renamed.headers.get('etag') ?? '' })).status).toBe(200);
  });
});

describe('a calendar feed with many series', () => {
  it('needs as many statements for three series as for one', async () => {
    const db = createDb(api.service.env.DATABASE_URL ?? '', 1, createLogger('test', 'silent'));
    let statements = 0;
    const countingDb: Queryable = {
      query: (query, values) => {
        statements += 1;
        return db.query(query, values);
      },
    };
    const user = buildUser();
    api.service.addToDirectory(user);
    const scheduleSeries = () =>
      api.scheduleMeeting({ isRecurring: true, recurringFrequency: 'weekly', participants: [user._id] });
    const countStatements = async () => {
      const meetings = await listUserMeetings(db, { userId: user._id });
      statements = 0;
      const series = await listUserSeries(countingDb, meetings);
      return { statements, series: series.length };
    };
    await scheduleSeries();
    const forOneSeries = await countStatements();
    await Promise.all([scheduleSeries(), scheduleSeries()]);
    expect(await countStatements()).toEqual({ statements: forOneSeries.statements, series: 3 });
    await db.pool.end();
  });
});

describe('a meeting as an iCalendar file', () => {
  const getFile = (as: TestUserName, id: string, scope = '') =>
    api.service.call('GET', `/meetings/${id}/calendar.ics${scope && `?scope=${scope}`}`, { as: api.users[as] });
  const parseEvents = ({ body }: { body: unknown }) =>
    new ICAL.Component(ICAL.parse(String(body))).getAllSubcomponents('vevent');

  it('is available to users who can see the meeting, alone or with its series', async () => {
    const single = await api.scheduleMeeting({ title: 'Single' });
    const response = await getFile('invitee', single._id);
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="meeting.ics"');
    expect(parseEvents(response).map((event) => getValue(event, 'summary'))).toEqual(['Single']);

    const first = await api.scheduleMeeting({ title: 'Often', isRecurring: true, recurringFrequency: 'weekly' });
    const [, second] = await api.listOccurrences('organizer', first.seriesId);
    const [occurrence, ...otherEvents] = parseEvents(await getFile('invitee', second?._id ?? ''));
    expect([getValue(occurrence, 'rrule'), occurrence?.hasProperty('recurrence-id')]).toEqual(['null', true]);
    expect(otherEvents).toEqual([]);
    const [wholeSeries] = parseEvents(await getFile('invitee', first._id, 'all'));
    expect(getValue(wholeSeries, 'rrule')).toContain('FREQ=WEEKLY');
    const [following] = parseEvents(await getFile('admin', second?._id ?? '', 'following'));
    // Both are local times, whose date can differ from UTC.
    expect(getValue(following, 'dtstart')).toBe(getValue(occurrence, 'dtstart'));
  });

  it('responds with 404 to users who cannot see the meeting', async () => {
    const { _id } = await api.scheduleMeeting();
    expect((await getFile('second', _id)).status).toBe(404);
    expect((await getFile('invitee', 'f'.repeat(24))).status).toBe(404);
    expect((await getFile('invitee', _id, 'none')).status).toBe(400);
    expect((await api.service.call('GET', `/meetings/${_id}/calendar.ics`)).status).toBe(401);
  });
});
