import { meetingResponded } from '@atrium/proto-events/events/meetings';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fillAll } from '../src/meetings/occurrence-generator.ts';
import { addOneYear } from '../src/recurrence/local-time.ts';
import { berlinDay, startMeetings, type TestUserName } from './factories.ts';

let api: Awaited<ReturnType<typeof startMeetings>>;

beforeAll(async () => {
  api = await startMeetings({ ALLOW_PAST_MEETINGS: 'true' });
});
afterAll(() => api.service.close());

const scheduleMonthly = (overrides: object = {}) =>
  api.scheduleMeeting({ startTime: berlinDay(1), isRecurring: true, recurringFrequency: 'monthly', ...overrides });

/** Fills series like the background loop in half a year. */
async function fillHalfYearLater(): Promise<void> {
  const log = createLogger('test', 'silent');
  const db = createDb(api.service.env.DATABASE_URL ?? '', 2, log);
  const now = new Date(addOneYear(new Date()).getTime() - 180 * 86_400_000);
  const dueSeries = 'select id from series where not complete and filled_until < $1';
  // The loop of the service may hold the series at that moment.
  const isFilled = async () => {
    await fillAll({ db, log }, { now });
    return (await api.service.query(dueSeries, [addOneYear(now)])).length === 0;
  };
  await waitFor(isFilled, { description: 'every series to be filled' });
  await db.pool.end();
}

const listRsvps = async (who: TestUserName, { seriesId }: Meeting) => {
  const meetings = await api.listOccurrences('organizer', seriesId);
  return meetings.map(({ participants }) => participants.find(({ _id }) => _id === api.users[who]._id)?.responseStatus);
};

/** Returns the RSVPs to the existing occurrences, and those to occurrences added later. */
async function addOccurrences(first: Meeting) {
  const before = (await listRsvps('invitee', first)).length;
  await fillHalfYearLater();
  const rsvps = await listRsvps('invitee', first);
  const added = rsvps.slice(before);
  expect(added.length).toBeGreaterThan(3);
  return { before: rsvps.slice(0, before), added: [...new Set(added)] };
}

describe('an RSVP to a whole series', () => {
  it('applies to occurrences added later, despite different RSVPs to single occurrences', async () => {
    const first = await scheduleMonthly();
    await api.respond('invitee', first._id, 'accepted', {}, 'all');
    const meetings = await api.listOccurrences('organizer', first.seriesId);
    for (const meeting of [meetings[2], meetings.at(-1)]) await api.respond('invitee', meeting?._id ?? '', 'declined');
    expect((await addOccurrences(first)).added).toEqual(['accepted']);
  });

  it('can be given from one occurrence on', async () => {
    const first = await scheduleMonthly();
    const meetings = await api.listOccurrences('organizer', first.seriesId);
    await api.respond('invitee', meetings.at(-3)?._id ?? '', 'tentative', {}, 'following');
    const { before, added } = await addOccurrences(first);
    expect(before.filter((rsvp) => rsvp === 'pending').length).toBe(meetings.length - 3);
    expect(added).toEqual(['tentative']);
  });

  it('is not inferred from RSVPs to single meetings', async () => {
    const first = await scheduleMonthly();
    const meetings = await api.listOccurrences('organizer', first.seriesId);
    for (const meeting of [...meetings.slice(0, 4), meetings.at(-1)])
      await api.respond('invitee', meeting?._id ?? '', 'accepted');
    expect((await addOccurrences(first)).added).toEqual(['pending']);
  });

  it('is reset when the series moves', async () => {
    const first = await scheduleMonthly();
    await api.respond('invitee', first._id, 'accepted', {}, 'all');
    const newTimes = { startTime: berlinDay(1, '11:00'), endTime: berlinDay(1, '12:00') };
    expect((await api.patch('organizer', first._id, newTimes, 'all')).status).toBe(200);
    const { before, added } = await addOccurrences(first);
    expect([new Set(before), added]).toEqual([new Set(['pending']), ['pending']]);
  });

  it('applies to occurrences added by a later end date', async () => {
    const first = await scheduleMonthly({ recurringEndDate: berlinDay(100).slice(0, 10) });
    await api.respond('invitee', first._id, 'declined', {}, 'all');
    const later = { recurringEndDate: berlinDay(300).slice(0, 10) };
    expect((await api.patch('organizer', first._id, later, 'all')).status).toBe(200);
    const rsvps = await listRsvps('invitee', first);
    expect(rsvps.length).toBeGreaterThan(7);
    expect(new Set(rsvps)).toEqual(new Set(['declined']));
  });

  it('is not inferred from an RSVP to a meeting that became a series', async () => {
    const single = await api.scheduleMeeting({ startTime: berlinDay(2) });
    await api.respond('invitee', single._id, 'accepted');
    const rule = { isRecurring: true, recurringFrequency: 'monthly', recurringEndDate: berlinDay(150).slice(0, 10) };
    const { body } = await api.patch('organizer', single._id, rule);
    const [firstRsvp, ...otherRsvps] = await listRsvps('invitee', body as Meeting);
    expect([firstRsvp, new Set(otherRsvps)]).toEqual(['accepted', new Set(['pending'])]);
  });
});

describe('an RSVP to a series with past occurrences', () => {
  const scheduleStarted = (lastDay: number) =>
    api.scheduleMeeting({
      startTime: berlinDay(-20),
      isRecurring: true,
      recurringFrequency: 'weekly',
      recurringEndDate: berlinDay(lastDay).slice(0, 10),
    });
  const listInviteeRsvps = async ({ seriesId }: Meeting, isPast: boolean) => {
    const meetings = (await api.listOccurrences('organizer', seriesId)).filter((meeting) => meeting.isPast === isPast);
    return meetings.map(
      ({ participants }) => participants.find(({ _id }) => _id === api.users.invitee._id)?.responseStatus,
    );
  };

  it.each(['all', 'following'] as const)(
    'applies to %s upcoming occurrences if the given occurrence is past',
    async (scope) => {
      const first = await scheduleStarted(24);
      const response = await api.respond('invitee', first._id, 'accepted', { startTime: first.startTime }, scope);
      expect(response).toMatchObject({ status: 200, body: { isPast: false, seriesId: first.seriesId } });
      expect(await listInviteeRsvps(first, true)).toEqual(['pending', 'pending', 'pending']);
      expect(new Set(await listInviteeRsvps(first, false))).toEqual(new Set(['accepted']));
      const { _id } = response.body as Meeting;
      const event = await api.service.waitForEvent(meetingResponded, ({ meetingId }) => meetingId === _id);
      expect(event.data).toMatchObject({ status: 'accepted', userId: api.users.invitee._id });
    },
  );

  it('is rejected for a past occurrence alone, and if no occurrences are upcoming', async () => {
    const rejection = {
      status: 409,
      body: { code: 'conflict', message: 'You can no longer respond to a past meeting' },
    };
    const running = await scheduleStarted(24);
    expect(await api.respond('invitee', running._id, 'accepted')).toMatchObject(rejection);
    const ended = await scheduleStarted(-2);
    for (const scope of ['all', 'following'])
      expect(await api.respond('invitee', ended._id, 'accepted', {}, scope)).toMatchObject(rejection);
    expect(new Set([...(await listInviteeRsvps(running, false)), ...(await listInviteeRsvps(ended, true))])).toEqual(
      new Set(['pending']),
    );
  });
});
