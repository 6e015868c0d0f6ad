import { accountSecured } from '@atrium/proto-events/events/auth';
import { feedCreated } from '@atrium/proto-events/events/meetings';
import type { Feed } from '@atrium/proto-events/http/meeting-feed';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb, type Queryable } from '@atrium/service-kit/postgres/postgres';
import { buildUser } from '@atrium/test-kit/people';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import { listUserMeetings, listUserSeries } from '../src/calendar-feed/user-meetings.ts';
import { berlinDay, inHours, type PersonName, startMeetings } from './factories.ts';

let api: Awaited<ReturnType<typeof startMeetings>>;
beforeAll(async () => {
  api = await startMeetings();
});
afterAll(() => api.service.close());

const manage = (as: PersonName, method: string) => api.service.call(method, '/meetings/feed', { as: api.people[as] });
const read = (token: string, headers: Record<string, string> = {}) =>
  api.service.call('GET', `/meetings/feed/${token}.ics`, { headers });

async function createFeed(as: PersonName): Promise<string> {
  const { status, body } = await manage(as, 'POST');
  expect(status).toBe(201);
  return (body as { token: string }).token;
}

async function parse(token: string) {
  const response = await read(token);
  expect(response.status).toBe(200);
  const calendar = new ICAL.Component(ICAL.parse(String(response.body)));
  const events = calendar.getAllSubcomponents('vevent');
  const named = (title: string) => events.filter((event) => event.getFirstPropertyValue('summary') === title);
  return { response, text: String(response.body), calendar, events, named };
}

const partstat = (event: ICAL.Component | undefined, email: string) =>
  event
    ?.getAllProperties('attendee')
    .find((one) => one.getFirstValue() === `mailto:${email}`)
    ?.getFirstParameter('partstat');
const value = (event: ICAL.Component | undefined, name: string) => String(event?.getFirstPropertyValue(name));

describe('the URL of a calendar feed', () => {
  it('is revoked with the sessions of its owner, published on creation, and can be recreated', async () => {
    const { _id: userId } = api.people.second;
    for (const reason of ['password-changed', 'signed-out-everywhere', 'ended-by-administrator'] as const) {
      const token = await createFeed('second');
      const other = await createFeed('stranger');
      await api.service.deliver(accountSecured, { userId, reason }, 2);
      expect([(await read(token)).status, (await read(other)).status]).toEqual([404, 200]);
      expect((await manage('second', 'GET')).body).toEqual({ feed: null });
      expect((await manage('stranger', 'DELETE')).status).toBe(204);
    }
    const created = await api.service.published(feedCreated, (data) => data.userId === userId);
    expect(created.actorId).toBe(userId);
  });

  it('is returned once, stored as a hash, replaced by the next one, and revocable', async () => {
    expect((await manage('second', 'GET')).body).toEqual({ feed: null });
    const { body } = await manage('second', 'POST');
    const { token, feed } = body as { token: string; feed: Feed };
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(feed.readAt).toBeNull();
    expect((await manage('second', 'GET')).body).toEqual({ feed });
    expect(JSON.stringify(await api.service.query('select * from feeds'))).not.toContain(token);

    expect((await read(token)).status).toBe(200);
    const seen = (await manage('second', 'GET')).body as { feed: Feed };
    expect(Date.parse(seen.feed.readAt ?? '')).toBeGreaterThan(Date.now() - 60_000);

    const next = await createFeed('second');
    expect([(await read(token)).status, (await read(next)).status]).toEqual([404, 200]);
    expect((await manage('second', 'DELETE')).status).toBe(204);
    expect([(await read(next)).status, (await manage('second', 'GET')).body]).toEqual([404, { feed: null }]);
    expect((await manage('second', 'DELETE')).status).toBe(204);
  });

  it('requires signing in to manage, and cannot be guessed', async () => {
    for (const method of ['GET', 'POST', 'DELETE'])
      expect((await api.service.call(method, '/meetings/feed')).status).toBe(401);
    for (const guess of ['x'.repeat(43), 'x'.repeat(42), 'a b'])
      expect((await read(encodeURIComponent(guess))).body).toMatchObject({ code: 'not_found' });
  });

  it('is revoked when its owner is deactivated, and stays revoked on reactivation', async () => {
    const token = await createFeed('stranger');
    expect((await read(token)).status).toBe(200);
    const { stranger } = api.people;
    api.service.addToDirectory({ ...stranger, status: 'inactive', version: stranger.version + 1 });
    expect((await read(token)).status).toBe(404);
    const isForgotten = async () =>
      (await api.service.query('select 1 from feeds where user_id = $1', [stranger._id])).length === 0;
    await waitFor(isForgotten, { what: 'the feed to be revoked' });
    api.service.addToDirectory({ ...stranger, version: stranger.version + 2 });
    expect((await read(token)).status).toBe(404);
  });
});

describe('a calendar feed', () => {
  it('contains the meetings of its owner with RSVPs, but no notes', async () => {
    const token = await createFeed('invitee');
    const agreed = await api.scheduleMeeting({ title: 'Agreed', description: 'About it', location: 'Berlin' });
    await api.respond('invitee', agreed._id, 'declined');
    await api.patch('organizer', agreed._id, { notes: 'Written down', summary: 'In short' });
    await api.scheduleMeeting({ title: 'Of others', participants: [api.people.second._id] });
    const { response, text, calendar, events, named } = await parse(token);
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(calendar.getFirstPropertyValue('method')).toBeNull();
    expect(value(calendar, 'x-wr-calname')).toBe(`Atrium: Mia ${api.people.invitee.lastName}`);
    expect(text).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT15M');
    expect(events.map((event) => value(event, 'summary'))).toEqual(['Agreed']);
    const [event] = named('Agreed');
    expect(value(event, 'description')).toContain('About it');
    expect(partstat(event, api.people.invitee.email)).toBe('DECLINED');
    expect(value(event, 'transp')).toBe('TRANSPARENT');
    expect(text).not.toMatch(/Written down|In short/);
    expect(value(event, 'uid')).toBe(`${agreed._id}@atrium`);
  });

  it('contains a series as a rule with moved, cancelled, and uninvited dates', async () => {
    const token = await createFeed('second');
    const first = await api.scheduleMeeting({
      title: 'Daily',
      startTime: berlinDay(3),
      isRecurring: true,
      recurringFrequency: 'daily',
      recurringEndDate: berlinDay(9).slice(0, 10),
      participants: [api.people.second._id],
    });
    const all = await api.occurrences('organizer', first.seriesId);
    const [, moved, cancelled, others] = all;
    await api.patch('organizer', moved?._id ?? '', {
      startTime: berlinDay(4, '15:00'),
      endTime: berlinDay(4, '16:00'),
    });
    await api.remove('organizer', cancelled?._id ?? '');
    await api.patch('organizer', others?._id ?? '', { participants: [] });
    const { named } = await parse(token);
    const [master, ...overrides] = named('Daily');
    expect(value(master, 'rrule')).toContain('FREQ=DAILY');
    const excluded = master?.getAllProperties('exdate').map((one) => String(one.getFirstValue()));
    expect(excluded?.map((one) => one.slice(0, 10)).toSorted()).toEqual(
      [cancelled, others].map((one) => one?.startTime.slice(0, 10)).toSorted(),
    );
    expect(overrides.map((one) => value(one, 'dtstart').slice(11, 16))).toEqual(['15:00']);
  });

  it('is a valid calendar without meetings, and contains only their own meetings for administrators', async () => {
    const { calendar, events } = await parse(await createFeed('admin'));
    expect(events).toEqual([]);
    expect(calendar.getAllSubcomponents()).not.toEqual([]);
  });

  it('omits other participants of very large meetings', async () => {
    const crowd = Array.from({ length: 120 }, (_, index) => ({
      ...api.people.second,
      _id: (index + 1).toString(16).padStart(24, 'c'),
      email: `crowd-${index}@example.org`,
    }));
    api.service.addToDirectory(...crowd);
    const everybody = crowd.map(({ _id }) => _id);
    await api.scheduleMeeting({ title: 'Assembly', participants: everybody });
    const series = { isRecurring: true, recurringFrequency: 'weekly', recurringEndDate: berlinDay(30).slice(0, 10) };
    await api.scheduleMeeting({ title: 'Assemblies', participants: everybody, ...series });
    const person = crowd[0];
    if (!person) throw new Error('Crowd is empty');
    const made = await api.service.call('POST', '/meetings/feed', { as: person });
    const { named, events } = await parse((made.body as { token: string }).token);
    for (const title of ['Assembly', 'Assemblies']) {
      const people = named(title)[0]
        ?.getAllProperties('attendee')
        .map((one) => one.getFirstValue());
      expect(people).toEqual([`mailto:${person.email}`]);
    }
    expect(events).toHaveLength(2);
  });

  it('contains past meetings of the last ninety days', async () => {
    const token = await createFeed('manager');
    const past = await api.scheduleMeeting({ title: 'Long ago', participants: [api.people.manager._id] });
    const shift = (days: number) =>
      api.service.query(
        `with moved as (update meetings set starts_at = now() - $2 * interval '1 day', ends_at = now() - $2 * interval '1 day' + interval '1 hour'
           where id = $1 returning id, starts_at, ends_at)
         update participants p set starts_at = m.starts_at, ends_at = m.ends_at from moved m where p.meeting_id = m.id`,
        [past._id, days],
      );
    await shift(89);
    expect((await parse(token)).named('Long ago')).toHaveLength(1);
    await shift(92);
    expect((await parse(token)).named('Long ago')).toHaveLength(0);
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
    const first = await read(token);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{32}"$/);
    // Generating this calendar would fail.
    const zoneOf = (zone: string) =>
      api.service.query('update series set timezone = $2 where id = $1', [seriesId, zone]);
    await zoneOf('No/where');
    for (const held of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await read(token, { 'if-none-match': held });
      expect([held, again.status, again.body, again.headers.get('etag')]).toEqual([held, 304, '', etag]);
    }
    expect((await read(token)).status).toBe(500);
    await zoneOf('Europe/Berlin');
    expect((await read(token)).body).toBe(first.body);
  });

  it('has a new ETag after every visible change', async () => {
    const token = await createFeed('organizer');
    const made = await api.service.call('POST', '/meetings/rooms', {
      as: api.people.admin,
      body: { name: 'Den', size: 9 },
    });
    const room = (made.body as { _id: string })._id;
    const at = { startTime: inHours(30), endTime: inHours(31), room };
    const meeting = await api.scheduleMeeting({ title: 'Watched', ...at });
    const { invitee } = api.people;
    const changes: Record<string, () => Promise<unknown> | unknown> = {
      'a title': () => api.patch('organizer', meeting._id, { title: 'Watched well' }),
      'an answer': () => api.respond('invitee', meeting._id, 'tentative'),
      'another name of its room': () =>
        api.service.call('PATCH', `/meetings/rooms/${room}`, { as: api.people.admin, body: { name: 'Cave' } }),
      'another name of its people': () =>
        api.service.addToDirectory({ ...invitee, lastName: 'Renamed', version: invitee.version + 1 }),
      'one more': () => api.scheduleMeeting({ title: 'One more' }),
      'one less': () => api.remove('organizer', meeting._id),
    };
    for (const [what, change] of Object.entries(changes)) {
      const before = await read(token);
      await change();
      const after = await read(token, { 'if-none-match': before.headers.get('etag') ?? '' });
      expect([what, after.status, after.body === before.body]).toEqual([what, 200, false]);
    }
  });
});

describe('a calendar feed with many meetings', () => {
  it('keeps its ETag when users change who are not named, or fields that are not shown', async () => {
    const token = await createFeed('manager');
    const { second, admin, manager } = api.people;
    const made = await api.create('manager', { title: 'Steady', participants: [second._id] });
    expect(made.status).toBe(201);
    const etag = (await read(token)).headers.get('etag') ?? '';
    api.service.addToDirectory({ ...admin, lastName: 'Renamed', version: admin.version + 1 });
    api.service.addToDirectory({ ...second, avatar: 'new.png', version: second.version + 1 });
    expect((await read(token, { 'if-none-match': etag })).status).toBe(304);
    api.service.addToDirectory({ ...second, lastName: 'Renamed', version: second.version + 2 });
    const named = await read(token, { 'if-none-match': etag });
    expect([named.status, String(named.body).includes('Renamed')]).toEqual([200, true]);
    api.service.addToDirectory({ ...manager, lastName: 'Renamed', version: manager.version + 1 });
    expect((await read(token, { 'if-none-match': named.headers.get('etag') ?? '' })).status).toBe(200);
  });

  it('needs as few statements for three series as for one', async () => {
    const db = createDb(api.service.env.DATABASE_URL ?? '', 1, createLogger('test', 'silent'));
    let statements = 0;
    const counting: Queryable = {
      query: (query, values) => {
        statements += 1;
        return db.query(query, values);
      },
    };
    const person = buildUser();
    api.service.addToDirectory(person);
    const scheduleSeries = () =>
      api.scheduleMeeting({ isRecurring: true, recurringFrequency: 'weekly', participants: [person._id] });
    const read = async () => {
      const own = await listUserMeetings(db, { userId: person._id });
      statements = 0;
      const series = await listUserSeries(counting, own);
      return { statements, series: series.length };
    };
    await scheduleSeries();
    const one = await read();
    await Promise.all([scheduleSeries(), scheduleSeries()]);
    expect(await read()).toEqual({ statements: one.statements, series: 3 });
    await db.pool.end();
  });
});

describe('a meeting as an iCalendar file', () => {
  const file = (as: PersonName, id: string, scope = '') =>
    api.service.call('GET', `/meetings/${id}/calendar.ics${scope && `?scope=${scope}`}`, { as: api.people[as] });
  const events = ({ body }: { body: unknown }) =>
    new ICAL.Component(ICAL.parse(String(body))).getAllSubcomponents('vevent');

  it('is available to users who can see it, alone or with its series', async () => {
    const alone = await api.scheduleMeeting({ title: 'Alone' });
    const response = await file('invitee', alone._id);
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="meeting.ics"');
    expect(events(response).map((event) => value(event, 'summary'))).toEqual(['Alone']);

    const first = await api.scheduleMeeting({ title: 'Often', isRecurring: true, recurringFrequency: 'weekly' });
    const [, second] = await api.occurrences('organizer', first.seriesId);
    const one = events(await file('invitee', second?._id ?? ''));
    expect(one.map((event) => [value(event, 'rrule'), event.hasProperty('recurrence-id')])).toEqual([['null', true]]);
    const [whole] = events(await file('invitee', first._id, 'all'));
    expect(value(whole, 'rrule')).toContain('FREQ=WEEKLY');
    const [rest] = events(await file('admin', second?._id ?? '', 'following'));
    // In local time, whose date can differ from UTC.
    expect(value(rest, 'dtstart')).toBe(value(one[0], 'dtstart'));
  });

  it('responds with 404 for others', async () => {
    const { _id } = await api.scheduleMeeting();
    expect((await file('second', _id)).status).toBe(404);
    expect((await file('invitee', 'f'.repeat(24))).status).toBe(404);
    expect((await file('invitee', _id, 'none')).status).toBe(400);
    expect((await api.service.call('GET', `/meetings/${_id}/calendar.ics`)).status).toBe(401);
  });
});
