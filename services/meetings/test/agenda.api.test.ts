import { meetingContentChanged } from '@atrium/proto-events/events/meeting-closing';
import { occurrencesChanged } from '@atrium/proto-events/events/meetings';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fillAll } from '../src/meetings/occurrence-generator.ts';
import { addOneYear } from '../src/recurrence/local-time.ts';
import { berlinDay, startMeetings } from './factories.ts';

const UNKNOWN = 'f'.repeat(24);
let api: Awaited<ReturnType<typeof startMeetings>>;

beforeAll(async () => {
  api = await startMeetings();
});
afterAll(() => api.service.close());

const buildItem = (title: string, minutes = 10, who: string | null = null) => ({ title, minutes, who });
const toTitles = ({ agendaItems = [] }: Meeting) => agendaItems.map(({ title }) => title).join(' ');
const weekly = (overrides: Record<string, unknown> = {}) =>
  api.scheduleMeeting({
    startTime: berlinDay(1),
    isRecurring: true,
    recurringFrequency: 'weekly',
    recurringEndDate: berlinDay(30).slice(0, 10),
    agendaItems: [buildItem('Welcome')],
    ...overrides,
  });
const listAgendas = async (seriesId: string | null) => (await api.listOccurrences('organizer', seriesId)).map(toTitles);
/** Fills series as the hourly loop would a year from now. */
async function fillNextYear(): Promise<void> {
  const log = createLogger('test', 'silent');
  const db = createDb(api.service.env.DATABASE_URL ?? '', 2, log);
  await fillAll({ db, log }, { now: addOneYear(new Date()) });
  await db.pool.end();
}

describe('the items of an agenda', () => {
  it('are stored in order and visible to users who can see the meeting', async () => {
    const { _id } = await api.scheduleMeeting({
      agendaItems: [buildItem('Welcome', 5, api.users.invitee._id), buildItem('Budget', 25)],
    });
    expect((await api.get('invitee', _id)).body).toMatchObject({
      agendaItems: [
        { title: 'Welcome', minutes: 5, who: { firstName: 'Mia' } },
        { title: 'Budget', minutes: 25, who: null },
      ],
    });
    const { body } = await api.patch('organizer', _id, {
      agendaItems: [buildItem('Budget', 30), buildItem('Welcome', 5)],
    });
    expect(toTitles(body as Meeting)).toBe('Budget Welcome');
    expect(body).toMatchObject({ version: 2 });
    const event = await api.service.waitForEvent(meetingContentChanged, ({ meetingId }) => meetingId === _id);
    expect(event.data.changed).toEqual(['agendaItems']);
    const unchanged = { agendaItems: [buildItem('Budget', 30), buildItem('Welcome', 5)] };
    expect((await api.patch('organizer', _id, unchanged)).body).toMatchObject({ version: 2 });
    expect((await api.patch('organizer', _id, { ...unchanged, title: 'Other', version: 2 })).body).toMatchObject({
      version: 3,
      title: 'Other',
    });
    expect(toTitles((await api.patch('organizer', _id, { agendaItems: [] })).body as Meeting)).toBe('');
    expect((await api.patch('invitee', _id, { agendaItems: [] })).status).toBe(403);
  });

  it('make a form that was opened before a change stale', async () => {
    const { _id, version } = await api.scheduleMeeting();
    await api.patch('organizer', _id, { agendaItems: [buildItem('Welcome')] });
    expect((await api.patch('admin', _id, { agendaItems: [], version })).status).toBe(409);
  });

  it.each([
    ['an item without a title', [buildItem(' ')], 'An agenda item needs a title'],
    ['an item of no minutes', [buildItem('x', 0)], 'Minutes must be a whole number from 1 to 600'],
    ['an item of one and a half minutes', [buildItem('x', 1.5)], 'Minutes must be a whole number from 1 to 600'],
    ['an item of an unknown user', [buildItem('x', 5, UNKNOWN)], 'Agenda items can be assigned to active users only'],
    ['more than 30 items', Array.from({ length: 31 }, () => buildItem('x')), 'An agenda can have at most 30 items'],
  ])('are rejected: %s', async (_name, agendaItems, message) => {
    const rejection = { status: 400, body: { message: [message] } };
    expect(await api.create('organizer', { agendaItems })).toMatchObject(rejection);
    const { _id } = await api.scheduleMeeting();
    expect(await api.patch('organizer', _id, { agendaItems })).toMatchObject(rejection);
  });
});

describe('the agenda of a series', () => {
  it('applies to each occurrence, and can change for one, the following, or all', async () => {
    const first = await weekly();
    expect(await listAgendas(first.seriesId)).toEqual(['Welcome', 'Welcome', 'Welcome', 'Welcome', 'Welcome']);
    const [, second, third] = await api.listOccurrences('organizer', first.seriesId);
    await api.patch('organizer', second?._id ?? '', { agendaItems: [buildItem('Alone')] });
    await api.patch('organizer', third?._id ?? '', { agendaItems: [buildItem('Later')] }, 'following');
    expect(await listAgendas(first.seriesId)).toEqual(['Welcome', 'Alone', 'Later', 'Later', 'Later']);
    await api.patch('organizer', second?._id ?? '', { agendaItems: [buildItem('All')] }, 'all');
    expect(await listAgendas(first.seriesId)).toEqual(['All', 'All', 'All', 'All', 'All']);
  });

  it('continues in a series that is split off, and in its later occurrences', async () => {
    const first = await weekly({ recurringEndDate: null });
    const third = (await api.listOccurrences('organizer', first.seriesId))[2];
    const { body } = await api.patch('organizer', third?._id ?? '', { title: 'From now on' }, 'following');
    const next = (body as Meeting).seriesId;
    expect(next).not.toBe(first.seriesId);
    expect(new Set(await listAgendas(next))).toEqual(new Set(['Welcome']));
    const before = (await listAgendas(next)).length;
    await fillNextYear();
    const after = await listAgendas(next);
    expect(after.length).toBeGreaterThan(before);
    expect(new Set(after)).toEqual(new Set(['Welcome']));
  });

  it('starts with the agenda of the meeting that becomes the series', async () => {
    const { _id } = await api.scheduleMeeting({ startTime: berlinDay(1), agendaItems: [buildItem('Welcome')] });
    const rule = { isRecurring: true, recurringFrequency: 'weekly', recurringEndDate: berlinDay(15).slice(0, 10) };
    const { body } = await api.patch('organizer', _id, rule);
    expect(await listAgendas((body as Meeting).seriesId)).toEqual(['Welcome', 'Welcome', 'Welcome']);
  });

  it('is the one set when a meeting becomes a series, including later occurrences', async () => {
    const { _id } = await api.scheduleMeeting({ startTime: berlinDay(1), agendaItems: [buildItem('Alone')] });
    const rule = { isRecurring: true, recurringFrequency: 'monthly', recurringEndDate: null };
    const { body } = await api.patch('organizer', _id, { ...rule, agendaItems: [buildItem('Together')] });
    const { seriesId } = body as Meeting;
    const before = (await listAgendas(seriesId)).length;
    await fillNextYear();
    const after = await listAgendas(seriesId);
    expect(after.length).toBeGreaterThan(before);
    expect(new Set(after)).toEqual(new Set(['Together']));
  });

  it('makes open forms of the changed meetings stale, and no others', async () => {
    const { seriesId } = await weekly();
    const [first, second, third, fourth] = await api.listOccurrences('organizer', seriesId);
    const agendaItems = [buildItem('Later')];
    await api.patch('organizer', third?._id ?? '', { agendaItems });
    expect((await api.patch('organizer', second?._id ?? '', { agendaItems }, 'following')).status).toBe(200);
    const versions = (await api.listOccurrences('organizer', seriesId)).map(({ version }) => version);
    // The third meeting already had this agenda.
    expect(versions).toEqual([1, 2, 2, 2, 2]);
    const previous = { agendaItems: [buildItem('My own')], version: 1 };
    expect((await api.patch('admin', fourth?._id ?? '', previous)).status).toBe(409);
    expect((await api.patch('admin', first?._id ?? '', previous)).status).toBe(200);
    await api.patch('organizer', second?._id ?? '', { agendaItems }, 'following');
    expect((await api.get('organizer', third?._id ?? '')).body).toMatchObject({ version: 2 });
  });

  it.each([{}, { notes: 'For this one' }, { title: 'For all of them' }])(
    'is published to the participants of each changed meeting, together with %j',
    async (otherFields) => {
      const { _id, seriesId } = await weekly();
      const [, second] = await api.listOccurrences('organizer', seriesId);
      const participants = [api.users.invitee._id, api.users.second._id];
      await api.patch('organizer', second?._id ?? '', { participants });
      const { body } = await api.patch('organizer', _id, { ...otherFields, agendaItems: [buildItem('All')] }, 'all');
      expect(body).toMatchObject({ version: 2 });
      expect((await api.get('second', second?._id ?? '')).body).toMatchObject({ version: 3 });
      if (otherFields.title) return;
      const { data } = await api.service.waitForEvent(meetingContentChanged, ({ meetingId }) => meetingId === _id);
      expect(data).toMatchObject({
        changed: ['agendaItems'],
        version: 2,
      });
      const guests = await api.service.waitForEvent(occurrencesChanged, ({ occurrences }) =>
        occurrences.some(({ meetingId }) => meetingId === second?._id),
      );
      expect(guests.data).toEqual({
        changed: ['agendaItems'],
        occurrences: [{ meetingId: second?._id, userIds: [api.users.second._id] }],
      });
    },
  );
});
