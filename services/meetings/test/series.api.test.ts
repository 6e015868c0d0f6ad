import { isDeepStrictEqual } from 'node:util';
import {
  calendarAttached,
  meetingCancelled,
  meetingResponded,
  meetingScheduled,
  meetingUpdated,
  occurrencesChanged,
} from '@atrium/proto-events/events/meetings';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { buildUser } from '@atrium/test-kit/build-user';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { berlin, berlinDay, startMeetings, toWallClock } from './factories.ts';

let api: Awaited<ReturnType<typeof startMeetings>>;

beforeAll(async () => {
  api = await startMeetings();
});
afterAll(() => api.service.close());

/** Schedules five weekly meetings on Mondays at 09:00. Berlin's clocks go back on October 27, 2030. */
const scheduleFiveWeeks = (overrides: Record<string, unknown> = {}) =>
  api.scheduleMeeting({
    startTime: berlin('2030-10-14T09:00'),
    isRecurring: true,
    recurringFrequency: 'weekly',
    recurringEndDate: '2030-11-11',
    ...overrides,
  });
const toWallClocks = (meetings: readonly Meeting[]) => meetings.map(({ startTime }) => toWallClock(startTime));
const MONDAYS = ['2030-10-14', '2030-10-21', '2030-10-28', '2030-11-04', '2030-11-11'];
const mondaysAt = (time: string) => MONDAYS.map((day) => `${day}T${time}`);

async function readSeries(first: Meeting) {
  const meetings = await api.listOccurrences('organizer', first.seriesId);
  const at = (index: number): Meeting => {
    const meeting = meetings[index];
    if (!meeting) throw new Error(`Series has no meeting ${index}`);
    return meeting;
  };
  return {
    meetings,
    at,
    get third() {
      return at(2);
    },
  };
}

describe('scheduling a series', () => {
  it('ends on the local day of the given end timestamp', async () => {
    // This is midnight of November 11 in Berlin.
    const first = await scheduleFiveWeeks({ recurringEndDate: '2030-11-10T23:00:00.000Z' });
    expect(first.recurringEndDate).toBe('2030-11-11');
    const { body } = await api.patch(
      'organizer',
      first._id,
      { recurringEndDate: '2030-11-04T00:00:00.000+01:00' },
      'all',
    );
    expect(body).toMatchObject({ recurringEndDate: '2030-11-04' });
    expect(toWallClocks((await readSeries(first)).meetings)).toEqual(mondaysAt('09:00').slice(0, 4));
  });

  it('returns the first occurrence, and keeps the local time across clock changes', async () => {
    const first = await scheduleFiveWeeks();
    expect(first).toMatchObject({
      isRecurring: true,
      recurringFrequency: 'weekly',
      recurringEndDate: '2030-11-11',
      startTime: berlin('2030-10-14T09:00'),
    });
    const { meetings } = await readSeries(first);
    expect(toWallClocks(meetings)).toEqual(mondaysAt('09:00'));
    expect(meetings.map(({ startTime }) => startTime.slice(11, 16))).toEqual([
      '07:00',
      '07:00',
      '08:00',
      '08:00',
      '08:00',
    ]);
    expect(meetings.every(({ startTime, endTime }) => Date.parse(endTime) - Date.parse(startTime) === 3_600_000)).toBe(
      true,
    );
  });

  it('publishes the rule of the whole series', async () => {
    const first = await scheduleFiveWeeks();
    const { data } = await api.service.waitForEvent(meetingScheduled, ({ meetingId }) => meetingId === first._id);
    expect(data).toMatchObject({
      seriesId: first.seriesId,
      calendarId: first.seriesId,
      sequence: 0,
      recurrenceId: null,
      startTime: first.startTime,
      recurrence: { frequency: 'weekly', until: '2030-11-11' },
    });
  });

  it('skips months without the day', async () => {
    const first = await scheduleFiveWeeks({
      startTime: berlin('2031-01-31T18:00'),
      recurringFrequency: 'monthly',
      recurringEndDate: '2031-05-31T00:00:00.000Z',
    });
    const { meetings } = await readSeries(first);
    expect(toWallClocks(meetings)).toEqual(['2031-01-31T18:00', '2031-03-31T18:00', '2031-05-31T18:00']);
  });

  it('is filled twelve months ahead, not further, when the end date is removed', async () => {
    const first = await api.scheduleMeeting({
      isRecurring: true,
      recurringFrequency: 'monthly',
      startTime: berlinDay(1),
      recurringEndDate: berlinDay(40).slice(0, 10),
    });
    await api.patch('organizer', first._id, { recurringEndDate: null }, 'all');
    const count = (await api.listOccurrences('organizer', first.seriesId)).length;
    expect([count >= 7, count <= 13]).toEqual([true, true]);
  });

  it('fills a series without an end twelve months ahead', async () => {
    const first = await api.scheduleMeeting({
      startTime: berlinDay(3),
      isRecurring: true,
      recurringFrequency: 'daily',
    });
    const { meetings } = await readSeries(first);
    expect(first.recurringEndDate).toBeNull();
    expect(new Set(toWallClocks(meetings).map((at) => at.slice(11)))).toEqual(new Set(['09:00']));
    expect(meetings.length).toBeGreaterThanOrEqual(361);
    expect(meetings.length).toBeLessThanOrEqual(372);
  });
});

describe('responding to a series', () => {
  it('responds to one meeting, or with a scope to all upcoming ones', async () => {
    const { at } = await readSeries(await scheduleFiveWeeks());
    const readRsvp = async (index: number) =>
      ((await api.get('invitee', at(index)._id)).body as Meeting).participants.find(
        ({ _id }) => _id === api.users.invitee._id,
      )?.responseStatus;
    await api.respond('invitee', at(1)._id, 'accepted');
    expect([await readRsvp(0), await readRsvp(1), await readRsvp(2)]).toEqual(['pending', 'accepted', 'pending']);
    await api.respond('invitee', at(2)._id, 'tentative', {}, 'following');
    expect([await readRsvp(1), await readRsvp(2), await readRsvp(4)]).toEqual(['accepted', 'tentative', 'tentative']);
    await api.respond('invitee', at(2)._id, 'declined', {}, 'all');
    expect([await readRsvp(0), await readRsvp(4)]).toEqual(['declined', 'declined']);
  });
});

describe('changing one meeting of a series', () => {
  it('keeps the other meetings and publishes the original start', async () => {
    const { third, meetings } = await readSeries(await scheduleFiveWeeks());
    const newTimes = { startTime: berlin('2030-10-29T11:00'), endTime: berlin('2030-10-29T12:00') };
    const { body } = await api.patch('organizer', third._id, newTimes);
    expect(body).toMatchObject({ ...newTimes, seriesId: third.seriesId, version: 2 });
    const after = await api.listOccurrences('organizer', third.seriesId);
    expect(toWallClocks(after)).toEqual(toWallClocks(meetings).with(2, '2030-10-29T11:00'));
    const { data } = await api.service.waitForEvent(meetingUpdated, ({ meetingId }) => meetingId === third._id);
    expect(data).toMatchObject({
      calendarId: third.seriesId,
      sequence: 1,
      recurrenceId: third.startTime,
      recurrence: null,
      rsvpReset: true,
    });
  });

  it('cancels a single occurrence, which stays canceled when the series moves', async () => {
    const first = await scheduleFiveWeeks();
    const { third } = await readSeries(first);
    expect((await api.remove('organizer', third._id)).status).toBe(204);
    const { data } = await api.service.waitForEvent(meetingCancelled, ({ meetingId }) => meetingId === third._id);
    expect(data).toMatchObject({ calendarId: first.seriesId, recurrenceId: third.startTime, recurrence: null });
    await api.patch(
      'organizer',
      first._id,
      { startTime: berlin('2030-10-14T10:00'), endTime: berlin('2030-10-14T11:00') },
      'all',
    );
    const { meetings } = await readSeries(first);
    expect(toWallClocks(meetings)).toEqual(mondaysAt('10:00').toSpliced(2, 1));
    const change = await api.service.waitForEvent(meetingUpdated, ({ meetingId }) => meetingId === first._id);
    expect(change.data.calendar?.master?.excludedStarts).toEqual([berlin('2030-10-28T10:00')]);
  });

  it('rejects a different recurrence for a single occurrence, and ending the recurrence of a series', async () => {
    const { third } = await readSeries(await scheduleFiveWeeks());
    expect((await api.patch('organizer', third._id, { recurringFrequency: 'daily' })).status).toBe(400);
    expect((await api.patch('organizer', third._id, { isRecurring: false }, 'all')).status).toBe(400);
  });
});

describe('changing a series as a whole', () => {
  it('changes texts and participants of all meetings in one revision of the same calendar entry', async () => {
    const first = await scheduleFiveWeeks();
    const { third } = await readSeries(first);
    const { body } = await api.patch(
      'organizer',
      third._id,
      { title: 'Renamed', participants: [api.users.second._id], notes: 'only here' },
      'all',
    );
    expect(body).toMatchObject({ _id: third._id, title: 'Renamed', notes: 'only here' });
    const { meetings } = await readSeries(first);
    expect(meetings.map(({ title }) => title)).toEqual(MONDAYS.map(() => 'Renamed'));
    expect(meetings.map(({ notes }) => notes)).toEqual(['', '', 'only here', '', '']);
    expect(meetings.every(({ participants }) => participants[1]?._id === api.users.second._id)).toBe(true);
    const { data } = await api.service.waitForEvent(meetingUpdated, ({ meetingId }) => meetingId === third._id);
    expect(data).toMatchObject({
      calendarId: first.seriesId,
      sequence: 1,
      startTime: first.startTime,
      recurrence: { frequency: 'weekly', until: '2030-11-11' },
      addedIds: [api.users.second._id],
      removedIds: [api.users.invitee._id],
      rsvpReset: false,
    });
  });

  it('moves all meetings as far as the edited one, and resets RSVPs', async () => {
    const first = await scheduleFiveWeeks({ recurringEndDate: '2030-11-12' });
    const { third, meetings } = await readSeries(first);
    await api.respond('invitee', first._id, 'accepted');
    const newTimes = { startTime: berlin('2030-10-29T14:00'), endTime: berlin('2030-10-29T14:30') };
    await api.patch('organizer', third._id, newTimes, 'all');
    const after = (await readSeries(first)).meetings;
    expect(toWallClocks(after)).toEqual(
      ['2030-10-15', '2030-10-22', '2030-10-29', '2030-11-05', '2030-11-12'].map((day) => `${day}T14:00`),
    );
    expect(after.map(({ _id }) => _id)).toEqual(meetings.map(({ _id }) => _id));
    expect(after[0]?.participants.map(({ responseStatus }) => responseStatus)).toEqual(['accepted', 'pending']);
    const { data } = await api.service.waitForEvent(meetingUpdated, ({ meetingId }) => meetingId === third._id);
    expect(data).toMatchObject({ calendarId: first.seriesId, rsvpReset: true, startTime: berlin('2030-10-15T14:00') });
  });

  it('adds and removes meetings when the end date changes', async () => {
    const first = await scheduleFiveWeeks();
    await api.patch('organizer', first._id, { recurringEndDate: '2030-10-27' }, 'all');
    expect(toWallClocks((await readSeries(first)).meetings)).toEqual(mondaysAt('09:00').slice(0, 2));
    await api.patch('organizer', first._id, { recurringEndDate: '2030-11-04' }, 'all');
    expect(toWallClocks((await readSeries(first)).meetings)).toEqual(mondaysAt('09:00').slice(0, 4));
    const tooEarly = await api.patch('organizer', first._id, { recurringEndDate: '2030-10-13' }, 'all');
    expect(tooEarly).toMatchObject({ status: 400, body: { message: ['The end date must not be before the meeting'] } });
  });

  it('changes the recurrence and keeps the meetings on the same days', async () => {
    const first = await scheduleFiveWeeks();
    const { third } = await readSeries(first);
    await api.patch('organizer', third._id, { notes: 'kept' });
    await api.patch('organizer', first._id, { recurringFrequency: 'daily', recurringEndDate: '2030-10-29' }, 'all');
    const { data } = await api.service.waitForEvent(
      meetingUpdated,
      ({ calendarId, changed }) => calendarId === first.seriesId && changed.includes('recurringFrequency'),
    );
    // All RSVPs are reset.
    expect(data.rsvpReset).toBe(true);
    const { meetings } = await readSeries(first);
    expect(meetings).toHaveLength(16);
    expect(meetings.find(({ _id }) => _id === third._id)).toMatchObject({ notes: 'kept', startTime: third.startTime });
  });
});

describe('changing this and the following meetings', () => {
  it('splits the series into the unchanged past and a new series', async () => {
    const first = await scheduleFiveWeeks();
    const { third, meetings } = await readSeries(first);
    const newTimes = { startTime: berlin('2030-10-28T16:00'), endTime: berlin('2030-10-28T17:00'), title: 'Afternoon' };
    const { body } = await api.patch('organizer', third._id, newTimes, 'following');
    const next = body as Meeting;
    expect(next).toMatchObject({ _id: third._id, title: 'Afternoon' });
    expect(next.seriesId).not.toBe(first.seriesId);

    const before = await api.listOccurrences('organizer', first.seriesId);
    const after = await api.listOccurrences('organizer', next.seriesId);
    expect(toWallClocks(before)).toEqual(mondaysAt('09:00').slice(0, 2));
    expect(before[0]).toMatchObject({ title: first.title, recurringEndDate: '2030-10-27' });
    expect(toWallClocks(after)).toEqual(mondaysAt('16:00').slice(2));
    expect(after.map(({ _id }) => _id)).toEqual(meetings.slice(2).map(({ _id }) => _id));

    const endEvent = await api.service.waitForEvent(meetingUpdated, ({ calendarId }) => calendarId === first.seriesId);
    expect(endEvent.data).toMatchObject({
      sequence: 1,
      startTime: first.startTime,
      recurrence: { frequency: 'weekly', until: '2030-10-27' },
      changed: ['recurringEndDate'],
    });
    // No participant is removed.
    expect(endEvent.data.truncatedFor).toBeUndefined();
    const startEvent = await api.service.waitForEvent(
      meetingScheduled,
      ({ calendarId }) => calendarId === next.seriesId,
    );
    expect(startEvent.data).toMatchObject({
      meetingId: third._id,
      sequence: 0,
      startTime: newTimes.startTime,
      recurrence: { frequency: 'weekly', until: '2030-11-11' },
    });
  });

  it('publishes which users the series ends for', async () => {
    const { invitee, second, organizer } = api.users;
    const first = await scheduleFiveWeeks({ participants: [invitee._id, second._id] });
    const { third } = await readSeries(first);
    expect((await api.patch('organizer', third._id, { participants: [second._id] }, 'following')).status).toBe(200);
    const endEvent = await api.service.waitForEvent(meetingUpdated, ({ calendarId }) => calendarId === first.seriesId);
    expect(endEvent.data).toMatchObject({ removedIds: [], participantIds: [organizer._id, invitee._id, second._id] });
    expect(endEvent.data.truncatedFor).toEqual({ from: third.startTime, as: 'removed', personIds: [invitee._id] });
  });

  it('moves guests of single occurrences to the new series', async () => {
    const first = await scheduleFiveWeeks();
    const { third } = await readSeries(first);
    const participants = [api.users.invitee._id, api.users.second._id];
    await api.patch('organizer', third._id, { participants });
    const newTimes = { startTime: berlin('2030-10-28T16:00'), endTime: berlin('2030-10-28T17:00') };
    await api.patch('organizer', third._id, newTimes, 'following');
    const endEvent = await api.service.waitForEvent(
      meetingUpdated,
      ({ calendarId, recurrence }) => calendarId === first.seriesId && recurrence !== null,
    );
    const thirdOccurrence = { meetingId: third._id, participantIds: [api.users.organizer._id, ...participants] };
    expect(endEvent.data.calendarBefore?.occurrences).toMatchObject([
      { ...thirdOccurrence, recurrenceId: third.startTime },
    ]);
    expect(endEvent.data.calendar?.occurrences).toEqual([]);
    const startEvent = await api.service.waitForEvent(
      meetingScheduled,
      ({ meetingId, calendarId }) => meetingId === third._id && calendarId !== first.seriesId,
    );
    expect(startEvent.data.calendar?.occurrences).toMatchObject([
      { ...thirdOccurrence, ...newTimes, recurrenceId: newTimes.startTime },
    ]);
    await expectGuestsNotified([{ meetingId: third._id, userIds: [api.users.second._id] }]);
  });

  it('changes all meetings when it starts with the first', async () => {
    const first = await scheduleFiveWeeks();
    await api.patch('organizer', first._id, { title: 'From the first' }, 'following');
    const { meetings } = await readSeries(first);
    expect(meetings.map(({ title }) => title)).toEqual(MONDAYS.map(() => 'From the first'));
  });

  it('accepts one of two concurrent splits of the same version', async () => {
    const { third } = await readSeries(await scheduleFiveWeeks());
    const split = (title: string) => api.patch('organizer', third._id, { title, version: 1 }, 'following');
    const responses = await Promise.all([split('One'), split('Other')]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('a change of several meetings through one that differs from the others', () => {
  const inviteBoth = () => [api.users.invitee._id, api.users.second._id];

  it('applies the texts of that meeting to all', async () => {
    const first = await scheduleFiveWeeks();
    const { third } = await readSeries(first);
    await api.patch('organizer', third._id, { title: 'Review' });
    expect((await api.patch('organizer', third._id, { title: 'Review' }, 'all')).status).toBe(200);
    const { meetings } = await readSeries(first);
    expect(meetings.map(({ title }) => title)).toEqual(Array(5).fill('Review'));
    const { data } = await api.service.waitForEvent(
      meetingUpdated,
      ({ calendarId, recurrence }) => calendarId === first.seriesId && recurrence !== null,
    );
    expect(data).toMatchObject({ title: 'Review', changed: ['title'] });
  });

  it('applies the texts of that meeting to the following ones', async () => {
    const first = await scheduleFiveWeeks();
    const { third } = await readSeries(first);
    await api.patch('organizer', third._id, { location: 'Room Eiche' });
    const { body } = await api.patch('organizer', third._id, { location: 'Room Eiche' }, 'following');
    const { meetings } = await readSeries(body as Meeting);
    expect(meetings.map(({ location }) => location)).toEqual(Array(3).fill('Room Eiche'));
  });

  it('applies the participants of that meeting to all', async () => {
    const first = await scheduleFiveWeeks();
    const { third } = await readSeries(first);
    await api.patch('organizer', third._id, { participants: inviteBoth() });
    await api.patch('organizer', third._id, { participants: inviteBoth() }, 'all');
    const { meetings } = await readSeries(first);
    expect(meetings.map(({ participants }) => participants.length)).toEqual(Array(5).fill(3));
  });

  it('moves all to the individual time of that meeting', async () => {
    const first = await scheduleFiveWeeks();
    const { third } = await readSeries(first);
    const later = { startTime: berlin('2030-10-28T14:00'), endTime: berlin('2030-10-28T15:00') };
    await api.patch('organizer', third._id, later);
    expect((await api.patch('organizer', third._id, later, 'all')).status).toBe(200);
    expect(toWallClocks((await readSeries(first)).meetings)).toEqual(mondaysAt('14:00'));
  });

  it('changes nothing if all meetings already match', async () => {
    const first = await scheduleFiveWeeks();
    const { third } = await readSeries(first);
    const unchanged = {
      title: third.title,
      startTime: third.startTime,
      endTime: third.endTime,
      timezone: third.timezone,
    };
    const { body } = await api.patch(
      'organizer',
      third._id,
      { ...unchanged, participants: [api.users.invitee._id] },
      'all',
    );
    expect(body).toMatchObject({ _id: third._id, version: 1 });
  });
});

describe('a change of several meetings by a user who can see only one', () => {
  const inviteManagerToThird = async () => {
    const first = await scheduleFiveWeeks();
    const { third } = await readSeries(first);
    const { invitee, manager } = api.users;
    await api.patch('organizer', third._id, { participants: [invitee._id, manager._id] });
    return { first, third };
  };

  it('is rejected and changes nothing', async () => {
    const { first, third } = await inviteManagerToThird();
    for (const scope of ['all', 'following']) {
      const change = await api.patch('manager', third._id, { participants: [api.users.manager._id] }, scope);
      expect(change).toMatchObject({
        status: 403,
        body: {
          message: 'You are not invited to all of these meetings. Please change only the one you are invited to.',
        },
      });
      expect((await api.remove('manager', third._id, scope)).status).toBe(403);
    }
    const { meetings } = await readSeries(first);
    expect(meetings).toHaveLength(5);
    expect((await api.get('manager', meetings[0]?._id ?? '')).status).toBe(404);
  });

  it('is allowed for the visible meeting, and for all once they are invited to all', async () => {
    const { first, third } = await inviteManagerToThird();
    expect((await api.patch('manager', third._id, { location: 'Room Eiche' })).status).toBe(200);
    const { invitee, manager } = api.users;
    await api.patch('organizer', first._id, { participants: [invitee._id, manager._id] }, 'all');
    expect((await api.patch('manager', third._id, { title: 'Together' }, 'all')).status).toBe(200);
  });
});

describe('canceling in a series', () => {
  it('cancels this and the following meetings with an earlier end date', async () => {
    const first = await scheduleFiveWeeks();
    const { third } = await readSeries(first);
    expect((await api.remove('organizer', third._id, 'following')).status).toBe(204);
    expect(toWallClocks((await readSeries(first)).meetings)).toEqual(mondaysAt('09:00').slice(0, 2));
    const { data } = await api.service.waitForEvent(meetingUpdated, ({ meetingId }) => meetingId === third._id);
    expect(data).toMatchObject({ calendarId: first.seriesId, recurrence: { until: '2030-10-27' }, sequence: 1 });
  });

  it('cancels an occurrence for its guests when the series ends before it', async () => {
    const participants = [api.users.invitee._id, api.users.second._id];
    const truncations = [
      (_first: Meeting, third: Meeting) => api.remove('organizer', third._id, 'following'),
      (first: Meeting) => api.patch('organizer', first._id, { recurringEndDate: '2030-10-27' }, 'all'),
    ];
    for (const truncate of truncations) {
      const first = await scheduleFiveWeeks();
      const { third, at } = await readSeries(first);
      for (const meeting of [at(1), third]) await api.patch('organizer', meeting._id, { participants });
      await truncate(first, third);
      const { data } = await api.service.waitForEvent(
        meetingUpdated,
        ({ calendarId, recurrence }) => calendarId === first.seriesId && recurrence !== null,
      );
      expect(data.removedIds).toEqual([]);
      const participantIds = [api.users.organizer._id, ...participants];
      const thirdOccurrence = { meetingId: third._id, recurrenceId: third.startTime, participantIds };
      expect(data.calendarBefore?.occurrences).toContainEqual(expect.objectContaining(thirdOccurrence));
      expect(data.calendar?.occurrences).toMatchObject([{ meetingId: at(1)._id, participantIds }]);
    }
  });

  it('notifies guests only about their occurrence when a change affects the series', async () => {
    const first = await scheduleFiveWeeks();
    const { third } = await readSeries(first);
    const participants = [api.users.invitee._id, api.users.second._id];
    await api.patch('organizer', third._id, { title: 'On its own', participants });
    await api.patch('organizer', first._id, { participants: [api.users.invitee._id] }, 'all');
    const { data } = await api.service.waitForEvent(
      meetingUpdated,
      ({ calendarId, recurrence }) => calendarId === first.seriesId && recurrence !== null,
    );
    expect(data.removedIds).toEqual([]);
    const participantIds = [api.users.organizer._id, ...participants];
    expect(data.calendarBefore?.occurrences).toMatchObject([
      { meetingId: third._id, title: 'On its own', participantIds },
    ]);
    await expectGuestsNotified([{ meetingId: third._id, userIds: [api.users.second._id] }]);
  });

  it('cancels the whole series in one revision', async () => {
    const first = await scheduleFiveWeeks();
    const { third } = await readSeries(first);
    const participants = [api.users.invitee._id, api.users.second._id];
    await api.patch('organizer', third._id, { title: 'On its own', participants });
    expect((await api.remove('organizer', third._id, 'all')).status).toBe(204);
    expect(await api.listOccurrences('admin', first.seriesId)).toEqual([]);
    const findCancellation = (isOfSeries: boolean) =>
      api.service.waitForEvent(
        meetingCancelled,
        ({ calendarId, recurrence }) => calendarId === first.seriesId && (recurrence !== null) === isOfSeries,
      );
    const { data } = await findCancellation(true);
    expect(data).toMatchObject({ sequence: 2, recurrenceId: null, recurrence: { frequency: 'weekly' } });
    expect(data.participantIds).toEqual(first.participants.map(({ _id }) => _id));
    // Guests of a single occurrence learn nothing about the series.
    const { data: guestCancellation } = await findCancellation(false);
    const texts = { title: 'On its own', description: third.description, location: third.location };
    const participantIds = [api.users.second._id];
    expect(guestCancellation).toMatchObject({
      ...texts,
      meetingId: third._id,
      sequence: 2,
      recurrenceId: third.startTime,
      participantIds,
      isAlone: true,
    });
  });
});

describe('a single meeting that becomes a series', () => {
  it('becomes the first occurrence under its existing calendar entry', async () => {
    const meeting = await api.scheduleMeeting({ startTime: berlin('2030-10-14T09:00') });
    await api.respond('invitee', meeting._id, 'accepted');
    const rule = { isRecurring: true, recurringFrequency: 'weekly', recurringEndDate: '2030-10-28' };
    const { status, body } = await api.patch('organizer', meeting._id, rule);
    expect(status).toBe(200);
    expect(body).toMatchObject({ _id: meeting._id, isRecurring: true, recurringFrequency: 'weekly' });
    const { meetings } = await readSeries(body as Meeting);
    expect(toWallClocks(meetings)).toEqual(mondaysAt('09:00').slice(0, 3));
    expect(meetings.map(({ participants }) => participants[1]?.responseStatus)).toEqual([
      'accepted',
      'pending',
      'pending',
    ]);
    const { data } = await api.service.waitForEvent(meetingUpdated, ({ meetingId }) => meetingId === meeting._id);
    expect(data).toMatchObject({ calendarId: meeting._id, sequence: 1, recurrence: { until: '2030-10-28' } });
    // The series starts without RSVPs.
    expect(data.rsvpReset).toBe(true);
  });
});

it('an RSVP to a series notifies the guests of each meeting that it covers', async () => {
  const first = await scheduleFiveWeeks();
  const { third } = await readSeries(first);
  const { invitee, second } = api.users;
  await api.patch('organizer', third._id, { participants: [invitee._id, second._id] });
  await api.respond('invitee', first._id, 'tentative', {}, 'all');
  await api.service.waitForEvent(meetingResponded, ({ meetingId }) => meetingId === first._id);
  await expectGuestsNotified([{ meetingId: third._id, userIds: [second._id] }]);
});

const expectGuestsNotified = (expected: { meetingId: string; userIds: string[] }[]) =>
  api.service.waitForEvent(occurrencesChanged, ({ occurrences }) => isDeepStrictEqual(occurrences, expected));

describe('the calendar in an event', () => {
  it('contains the rule, moved occurrences, invitations, and RSVPs before and after the change', async () => {
    const first = await scheduleFiveWeeks();
    const { third, at } = await readSeries(first);
    const { organizer, invitee, second } = api.users;
    const newTimes = { startTime: berlin('2030-10-29T14:00'), endTime: berlin('2030-10-29T15:00') };
    await api.patch('organizer', third._id, newTimes);
    await api.patch('organizer', at(3)._id, { participants: [invitee._id, second._id] });
    await api.remove('organizer', at(4)._id);
    await api.respond('invitee', at(1)._id, 'accepted', {}, 'all');
    await api.respond('invitee', third._id, 'declined');
    await api.patch('organizer', first._id, { title: 'Portal and shop' }, 'all');
    const { data } = await api.service.waitForEvent(
      meetingUpdated,
      ({ calendarId, title }) => calendarId === first.seriesId && title === 'Portal and shop',
    );
    const master = {
      recurrence: { frequency: 'weekly', until: '2030-11-11' },
      startTime: first.startTime,
      participantIds: [organizer._id, invitee._id],
      answers: [{ userId: invitee._id, status: 'accepted' }],
      excludedStarts: [at(4).startTime],
    };
    const occurrences = [
      {
        meetingId: third._id,
        recurrenceId: third.startTime,
        ...newTimes,
        answers: [{ userId: invitee._id, status: 'declined' }],
      },
      {
        meetingId: at(3)._id,
        recurrenceId: at(3).startTime,
        startTime: at(3).startTime,
        endTime: at(3).endTime,
        participantIds: [organizer._id, invitee._id, second._id],
      },
    ];
    expect(data.calendarBefore).toMatchObject({ timezone: 'Europe/Berlin', master: { ...master, title: first.title } });
    expect(data.calendar?.master).toMatchObject({ ...master, title: 'Portal and shop' });
    expect(data.calendar?.occurrences).toEqual(occurrences);
    expect(data.calendarBefore?.occurrences).toEqual(occurrences);
  });

  it('contains a single changed meeting, identified in the zone of its series', async () => {
    const first = await scheduleFiveWeeks();
    const { third } = await readSeries(first);
    await api.patch('organizer', third._id, { timezone: 'Asia/Kathmandu' });
    const { data } = await api.service.waitForEvent(meetingUpdated, ({ meetingId }) => meetingId === third._id);
    expect(data.calendar).toMatchObject({
      timezone: 'Europe/Berlin',
      master: null,
      occurrences: [{ recurrenceId: third.startTime, timezone: 'Asia/Kathmandu' }],
    });
  });
});

it('a change of a series is published in parts if its calendar exceeds the message size', async () => {
  const crowd = Array.from({ length: 500 }, () => buildUser());
  api.service.addToDirectory(...crowd);
  const first = await scheduleFiveWeeks({
    participants: crowd.map(({ _id }) => _id),
    recurringFrequency: 'daily',
    recurringEndDate: '2030-11-04',
  });
  const longText = '\u6f22'.repeat(5_000);
  const occurrences = await api.listOccurrences('organizer', first.seriesId);
  for (const { _id } of occurrences) await api.patch('organizer', _id, { description: longText, agenda: longText });
  const guest = api.users.second._id;
  const participants = [...crowd.slice(1).map(({ _id }) => _id), guest];
  for (const { _id } of occurrences.slice(0, 2)) await api.patch('organizer', _id, { participants });
  expect((await api.patch('organizer', first._id, { location: 'Room 7' }, 'all')).status).toBe(200);
  const { data } = await api.service.waitForEvent(
    meetingUpdated,
    ({ seriesId, changed, recurrence }) =>
      seriesId === first.seriesId && recurrence !== null && changed.includes('location'),
  );
  expect(data.calendar?.occurrences).toEqual([]);
  const { changeId, count } = data.calendarParts ?? { changeId: '', count: 0 };
  expect(count).toBeGreaterThan(2);
  const parts = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      api.service.waitForEvent(calendarAttached, (part) => part.changeId === changeId && part.index === index),
    ),
  );
  const publishedOccurrences = parts.flatMap((part) => (part.data.of === 'calendar' ? part.data.occurrences : []));
  expect(publishedOccurrences.map(({ meetingId }) => meetingId)).toEqual(occurrences.map(({ _id }) => _id));
  await expectGuestsNotified(occurrences.slice(0, 2).map(({ _id }) => ({ meetingId: _id, userIds: [guest] })));
});
