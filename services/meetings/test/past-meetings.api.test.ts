import { meetingUpdated } from '@atrium/proto-events/events/meetings';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fillAll } from '../src/meetings/occurrence-generator.ts';
import { addOneYear } from '../src/recurrence/local-time.ts';
import { berlinDay, fillInBackground, inHours, startMeetings, toWallClock } from './factories.ts';

let api: Awaited<ReturnType<typeof startMeetings>>;

beforeAll(async () => {
  api = await startMeetings({ ALLOW_PAST_MEETINGS: 'true' });
});
afterAll(() => api.service.close());

const schedulePast = (overrides: Record<string, unknown> = {}) =>
  api.scheduleMeeting({ startTime: inHours(-24), ...overrides });

describe('a past meeting', () => {
  it('accepts changes of notes and summary only', async () => {
    const { _id } = await schedulePast();
    const annotated = await api.patch('organizer', _id, { notes: 'Decided.', summary: 'All agreed', version: 1 });
    expect(annotated).toMatchObject({ status: 200, body: { notes: 'Decided.', summary: 'All agreed', isPast: true } });
    const { status, body } = await api.patch('organizer', _id, { notes: 'x', title: 'Other' });
    expect(status).toBe(409);
    expect(body).toMatchObject({
      message: 'Only the notes and the summary of a past meeting can be changed',
      code: 'conflict',
    });
  });

  it('cannot be deleted or responded to', async () => {
    const { _id, abilities } = await schedulePast();
    expect(abilities).toEqual({ update: false, delete: false, addNotes: true, respond: false });
    expect((await api.remove('organizer', _id)).status).toBe(409);
    expect((await api.respond('invitee', _id, 'accepted')).status).toBe(409);
    expect((await api.patch('invitee', _id, { notes: 'My notes' })).status).toBe(403);
  });

  it('is only past after its end', async () => {
    const running = await api.scheduleMeeting({ startTime: inHours(-1), endTime: inHours(1) });
    expect(running.isPast).toBe(false);
    expect((await api.patch('organizer', running._id, { endTime: inHours(2) })).status).toBe(200);
  });
});

describe('lists and counts of meetings', () => {
  it('list the latest past meeting first, and count the meetings on today’s date in the caller’s time zone', async () => {
    const ownApi = await startMeetings({ ALLOW_PAST_MEETINGS: 'true' });
    const older = await ownApi.scheduleMeeting({ title: 'older', startTime: inHours(-72) });
    const newer = await ownApi.scheduleMeeting({ title: 'newer', startTime: inHours(-48) });
    const upcoming = await ownApi.scheduleMeeting({ title: 'upcoming', startTime: inHours(72) });
    const past = await ownApi.list('invitee', '&timeFilter=past');
    expect(past.data.map(({ _id }) => _id)).toEqual([newer._id, older._id]);
    expect((await ownApi.list('invitee', '&timeFilter=upcoming')).data.map(({ _id }) => _id)).toEqual([upcoming._id]);

    const readStats = async (who: 'invitee' | 'organizer' | 'stranger') =>
      (await ownApi.service.call('GET', '/meetings/stats', { as: ownApi.users[who] })).body;
    expect(await readStats('invitee')).toEqual({ upcoming: 1, completed: 2, total: 3, today: 0 });
    expect(await readStats('stranger')).toEqual({ upcoming: 0, completed: 0, total: 0, today: 0 });
    expect((await ownApi.service.call('GET', '/meetings/stats')).status).toBe(401);

    // This is the first half hour of the day in Berlin, the organizer's time zone.
    await ownApi.scheduleMeeting({ startTime: berlinDay(0, '00:00'), endTime: berlinDay(0, '00:30') });
    expect(await readStats('organizer')).toMatchObject({ today: 1, total: 4 });
    // For some hours the date differs elsewhere.
    const statsIn = async (timezone: string) =>
      (await ownApi.service.call('GET', `/meetings/stats?timezone=${timezone}`, { as: ownApi.users.organizer })).body;
    const isToday = (timezone: string) =>
      new Date().toLocaleDateString('en-CA', { timeZone: timezone }) ===
      new Date(berlinDay(0, '00:00')).toLocaleDateString('en-CA', { timeZone: timezone });
    for (const zone of ['Pacific/Apia', 'Pacific/Honolulu'])
      expect([zone, await statsIn(zone)]).toEqual([zone, expect.objectContaining({ today: isToday(zone) ? 1 : 0 })]);
    // The server falls back if it does not know the zone.
    expect(await statsIn('Nowhere/Else')).toMatchObject({ today: 1 });
    await ownApi.service.close();
  });
});

describe('meeting counts of a project', () => {
  it('include the meetings visible to the caller', async () => {
    const project = api.addProject();
    await api.scheduleMeeting({ project });
    await api.scheduleMeeting({ project, startTime: inHours(-48) });
    const readStats = (who: 'invitee' | 'stranger', id = project) =>
      api.service.call('GET', `/meetings/stats?project=${id}`, { as: api.users[who] });
    expect((await readStats('invitee')).body).toEqual({ upcoming: 1, completed: 1, total: 2, today: 0 });
    expect((await readStats('stranger')).body).toEqual({ upcoming: 0, completed: 0, total: 0, today: 0 });
    expect((await readStats('invitee', api.addProject())).body).toMatchObject({ total: 0 });
    expect((await readStats('invitee', 'nonsense')).status).toBe(400);
  });
});

describe('a series with past occurrences', () => {
  const scheduleRunning = () =>
    api.scheduleMeeting({
      startTime: berlinDay(-14),
      isRecurring: true,
      recurringFrequency: 'weekly',
      recurringEndDate: berlinDay(28).slice(0, 10),
    });
  const toWallClocks = (meetings: readonly Meeting[]) => meetings.map(({ startTime }) => toWallClock(startTime));

  it('keeps past occurrences when the whole series moves', async () => {
    const first = await scheduleRunning();
    const before = await api.listOccurrences('organizer', first.seriesId);
    const upcoming = before.filter(({ isPast }) => !isPast);
    const target = upcoming.at(1) ?? first;
    const day = toWallClock(target.startTime).slice(0, 10);
    const shift = { startTime: `${day}T18:00:00Z`, endTime: `${day}T19:00:00Z` };
    const { body } = await api.patch('organizer', target._id, shift, 'all');
    const past = await api.listOccurrences('organizer', first.seriesId);
    expect(past.every(({ isPast }) => isPast)).toBe(true);
    expect(toWallClocks(past)).toEqual(toWallClocks(before.filter(({ isPast }) => isPast)));
    const movedMeetings = await api.listOccurrences('organizer', (body as Meeting).seriesId);
    expect(movedMeetings.map(({ _id }) => _id)).toEqual(upcoming.map(({ _id }) => _id));
    const time = toWallClock(shift.startTime).slice(11);
    expect(new Set(toWallClocks(movedMeetings).map((at) => at.slice(11)))).toEqual(new Set([time]));
  });

  it('keeps past occurrences when the whole series is renamed', async () => {
    const first = await scheduleRunning();
    const upcoming = (await api.listOccurrences('organizer', first.seriesId)).find(({ isPast }) => !isPast);
    await api.patch('organizer', upcoming?._id ?? '', { title: 'New' }, 'all');
    const after = await api.listOccurrences('organizer', first.seriesId);
    expect(after.every(({ isPast, title }) => title === (isPast ? first.title : 'New'))).toBe(true);
  });

  it('ends after its past occurrences when the whole series is canceled', async () => {
    const first = await scheduleRunning();
    const upcoming = (await api.listOccurrences('organizer', first.seriesId)).find(({ isPast }) => !isPast);
    expect((await api.remove('organizer', upcoming?._id ?? '', 'all')).status).toBe(204);
    const remaining = await api.listOccurrences('organizer', first.seriesId);
    expect(remaining.length).toBeGreaterThan(0);
    expect(remaining.every(({ isPast }) => isPast)).toBe(true);
    const event = await api.service.waitForEvent(meetingUpdated, ({ calendarId }) => calendarId === first.seriesId);
    expect(event.data.changed).toEqual(['recurringEndDate']);
    expect(event.data.truncatedFor).toEqual({
      from: upcoming?.startTime,
      as: 'cancelled',
      personIds: event.data.participantIds,
    });
  });
});

const scheduleMonthly = () =>
  api.scheduleMeeting({
    startTime: berlinDay(1),
    isRecurring: true,
    recurringFrequency: 'monthly',
    participants: [api.users.second._id],
  });

describe('filling series', () => {
  it('continues as time passes, without duplicates, and keeps deactivated participants', async () => {
    const first = await api.scheduleMeeting({
      startTime: berlinDay(1),
      isRecurring: true,
      recurringFrequency: 'monthly',
    });
    const before = await api.listOccurrences('organizer', first.seriesId);
    api.service.addToDirectory({ ...api.users.invitee, status: 'inactive', version: 2 });
    const log = createLogger('test', 'silent');
    const db = createDb(api.service.env.DATABASE_URL ?? '', 4, log);
    const deps = { db, log };
    const nextYear = { now: addOneYear(new Date()) };
    await Promise.all([fillAll(deps, nextYear), fillAll(deps, nextYear)]);
    await fillAll(deps, nextYear);
    await db.pool.end();
    const after = await api.listOccurrences('organizer', first.seriesId);
    const starts = after.map(({ startTime }) => startTime);
    expect(new Set(starts).size).toBe(starts.length);
    expect(after.length).toBeGreaterThan(before.length + 6);
    expect(after.slice(0, before.length)).toMatchObject(before.map(({ _id }) => ({ _id })));
    const users = [api.users.organizer._id, api.users.invitee._id];
    expect(after.at(-1)?.participants.map(({ _id }) => _id)).toEqual(users);
    // No later occurrence differs from the series.
    await api.patch('organizer', first._id, { title: 'Renamed' }, 'all');
    const { data } = await api.service.waitForEvent(meetingUpdated, ({ calendarId }) => calendarId === first.seriesId);
    expect(data.calendar?.occurrences).toEqual([]);
    api.service.addToDirectory({ ...api.users.invitee, version: 3 });
  });

  it('continues with other series if one cannot be filled', async () => {
    const broken = await scheduleMonthly();
    const next = await scheduleMonthly();
    const countOccurrences = async ({ seriesId }: Meeting) => (await api.listOccurrences('organizer', seriesId)).length;
    // The broken series is first in the queue and has an unknown time zone.
    await api.service.query(`update series set timezone = 'Mars/Base', filled_until = now() where id = $1`, [
      broken.seriesId,
    ]);
    // The loop of the service may already have added another week, so the count starts here.
    const before = [await countOccurrences(broken), await countOccurrences(next)];
    const lines: string[] = [];
    const log = createLogger('test', 'error', { write: (line) => void lines.push(line) });
    const db = createDb(api.service.env.DATABASE_URL ?? '', 2, log);
    await fillAll({ db, log }, { now: addOneYear(new Date()) });
    await db.pool.end();
    expect(lines.map((line) => JSON.parse(line).series)).toEqual([broken.seriesId]);
    expect(await countOccurrences(broken)).toBe(before[0]);
    expect(await countOccurrences(next)).toBeGreaterThan(before[1] ?? 0);
    await api.service.query('update series set complete = true where id = $1', [broken.seriesId]);
  });

  it('fills the rest of a large series shortly after the first transaction', async () => {
    await fillInBackground(api);
  });
});
