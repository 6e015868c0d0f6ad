import type { EventOf } from '@atrium/proto-events/event';
import { meetingResponded } from '@atrium/proto-events/events/meetings';
import { meetingReplied } from '@atrium/proto-events/events/notifications';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { newId } from '@atrium/service-kit/process/new-id';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { berlinDay, inHours, startMeetings, type TestUserName } from './factories.ts';

let api: Awaited<ReturnType<typeof startMeetings>>;
beforeAll(async () => {
  api = await startMeetings();
});
afterAll(() => api.service.close());

type Reply = EventOf<typeof meetingReplied>['data'];

/** Delivers the reply twice, which can happen to any event. */
const deliverReply = ({ _id, startTime }: Meeting, overrides: Partial<Reply> = {}) =>
  api.service.deliver(
    meetingReplied,
    {
      calendarId: _id,
      recurrenceId: null,
      userId: api.users.invitee._id,
      status: 'accepted' as const,
      sequence: 0,
      startTime,
      stamp: new Date().toISOString(),
      ...overrides,
    },
    2,
  );
const readRsvp = async (who: TestUserName, id: string) =>
  ((await api.get('organizer', id)).body as Meeting).participants.find(({ _id }) => _id === api.users[who]._id)
    ?.responseStatus;
const countRsvpEvents = (id: string) =>
  api.service.countPublished(meetingResponded, ({ meetingId }) => meetingId === id);

describe('an RSVP by email', () => {
  it('is recorded like an RSVP in the app, once', async () => {
    const meeting = await api.scheduleMeeting();
    await deliverReply(meeting);
    expect(await readRsvp('invitee', meeting._id)).toBe('accepted');
    const { data } = await api.service.waitForEvent(meetingResponded, ({ meetingId }) => meetingId === meeting._id);
    expect(data).toMatchObject({ userId: api.users.invitee._id, status: 'accepted' });
    expect(countRsvpEvents(meeting._id)).toBe(1);
  });

  it('never overwrites a newer RSVP in any order of arrival, even if the clock of the sender is ahead', async () => {
    const meeting = await api.scheduleMeeting();
    const before = new Date(Date.now() - 60_000).toISOString();
    await api.respond('invitee', meeting._id, 'tentative');
    await deliverReply(meeting, { stamp: before });
    expect(await readRsvp('invitee', meeting._id)).toBe('tentative');
    await deliverReply(meeting, { status: 'declined', stamp: inHours(1000) });
    expect(await readRsvp('invitee', meeting._id)).toBe('declined');
    await deliverReply(meeting, { stamp: before });
    expect(await readRsvp('invitee', meeting._id)).toBe('declined');
    await api.respond('invitee', meeting._id, 'accepted');
    expect(await readRsvp('invitee', meeting._id)).toBe('accepted');
  });

  it('never overwrites an equal RSVP that was given again later', async () => {
    const meeting = await api.scheduleMeeting();
    await api.respond('invitee', meeting._id, 'accepted');
    const between = new Date().toISOString();
    await api.respond('invitee', meeting._id, 'accepted');
    await deliverReply(meeting, { status: 'declined', stamp: between });
    expect(await readRsvp('invitee', meeting._id)).toBe('accepted');
  });

  it('remains valid after a title change, but not after a time change', async () => {
    const meeting = await api.scheduleMeeting();
    await api.patch('organizer', meeting._id, { title: 'Renamed' });
    await deliverReply(meeting);
    expect(await readRsvp('invitee', meeting._id)).toBe('accepted');
    await api.patch('organizer', meeting._id, { startTime: inHours(200), endTime: inHours(201) });
    await deliverReply(meeting, { status: 'declined' });
    await deliverReply(meeting, { status: 'declined', startTime: null });
    expect(await readRsvp('invitee', meeting._id)).toBe('pending');
    await deliverReply(meeting, { status: 'tentative', startTime: null, sequence: 2 });
    expect(await readRsvp('invitee', meeting._id)).toBe('tentative');
  });

  it('applies to one occurrence, or to all occurrences without a newer RSVP', async () => {
    const first = await api.scheduleMeeting({
      startTime: berlinDay(3),
      isRecurring: true,
      recurringFrequency: 'weekly',
      recurringEndDate: berlinDay(25).slice(0, 10),
    });
    const { seriesId } = first;
    const listRsvps = async () => {
      const all = await api.listOccurrences('invitee', seriesId);
      return Promise.all(all.map(({ _id }) => readRsvp('invitee', _id)));
    };
    const [, second] = await api.listOccurrences('invitee', seriesId);
    const calendarId = seriesId ?? '';
    const earlier = new Date(Date.now() - 1_000).toISOString();
    const startTime = second?.startTime ?? '';
    await deliverReply(first, { calendarId, recurrenceId: startTime, startTime, status: 'declined' });
    expect(await listRsvps()).toEqual(['pending', 'declined', 'pending', 'pending']);
    await deliverReply(first, { calendarId, stamp: earlier });
    expect(await listRsvps()).toEqual(['accepted', 'declined', 'accepted', 'accepted']);
    expect(countRsvpEvents(first._id)).toBe(1);
  });

  it('is ignored if RSVPs were requested again since then, even with the same start', async () => {
    const meeting = await api.scheduleMeeting();
    const { startTime } = meeting;
    const hoursLater = (hours: number) => new Date(Date.parse(startTime) + hours * 3_600_000).toISOString();
    await deliverReply(meeting);
    await api.patch('organizer', meeting._id, { endTime: hoursLater(3) });
    await deliverReply(meeting, { status: 'declined' });
    await deliverReply(meeting, { status: 'declined', sequence: null });
    expect(await readRsvp('invitee', meeting._id)).toBe('pending');
    await api.patch('organizer', meeting._id, { title: 'Renamed' });
    await deliverReply(meeting, { status: 'tentative', sequence: 1 });
    expect(await readRsvp('invitee', meeting._id)).toBe('tentative');

    const rule = { isRecurring: true, recurringFrequency: 'daily', recurringEndDate: hoursLater(24 * 30).slice(0, 10) };
    const { seriesId } = (await api.patch('organizer', meeting._id, rule)).body as Meeting;
    const listRsvps = async () => {
      const [first, second, third] = await api.listOccurrences('invitee', seriesId);
      return Promise.all([first, second, third].map((meeting) => readRsvp('invitee', meeting?._id ?? '')));
    };
    await deliverReply(meeting, { status: 'declined', sequence: 2 });
    expect(await listRsvps()).toEqual(['tentative', 'pending', 'pending']);
    await deliverReply(meeting, { sequence: 3 });
    expect(await listRsvps()).toEqual(['accepted', 'accepted', 'accepted']);

    // A single moved occurrence requests RSVPs individually, and again with the whole series.
    const [, second] = await api.listOccurrences('invitee', seriesId);
    const recurrenceId = second?.startTime ?? '';
    await api.patch('organizer', second?._id ?? '', { endTime: hoursLater(24 + 2) });
    await deliverReply(meeting, { status: 'tentative', sequence: 3 });
    expect(await listRsvps()).toEqual(['tentative', 'pending', 'tentative']);
    await deliverReply(meeting, { status: 'declined', sequence: 4, recurrenceId, startTime: recurrenceId });
    expect(await listRsvps()).toEqual(['tentative', 'declined', 'tentative']);
    await api.patch('organizer', meeting._id, { recurringFrequency: 'weekly' }, 'all');
    await deliverReply(meeting, { sequence: 4 });
    expect(await listRsvps()).toEqual(['pending', 'pending', 'pending']);
    await deliverReply(meeting, { sequence: 5 });
    expect(await listRsvps()).toEqual(['accepted', 'accepted', 'accepted']);
  });

  it('uses separate revisions in a series that was split off', async () => {
    const first = await api.scheduleMeeting({
      startTime: berlinDay(3),
      isRecurring: true,
      recurringFrequency: 'daily',
      recurringEndDate: berlinDay(9).slice(0, 10),
    });
    const [, second, third] = await api.listOccurrences('invitee', first.seriesId);
    await api.patch('organizer', third?._id ?? '', {
      startTime: berlinDay(5, '15:00'),
      endTime: berlinDay(5, '16:00'),
    });
    const split = await api.patch(
      'organizer',
      second?._id ?? '',
      { recurringEndDate: berlinDay(8).slice(0, 10) },
      'following',
    );
    const { seriesId } = split.body as Meeting;
    expect(seriesId).not.toBe(first.seriesId);
    await deliverReply(first, {
      calendarId: seriesId ?? '',
      recurrenceId: berlinDay(5),
      startTime: berlinDay(5, '15:00'),
    });
    expect(await readRsvp('invitee', third?._id ?? '')).toBe('accepted');
  });

  it('is ignored from uninvited users and the organizer, and for past meetings, unknown meetings, and unknown revisions', async () => {
    const meeting = await api.scheduleMeeting();
    await deliverReply(meeting, { userId: api.users.second._id });
    await deliverReply(meeting, { userId: api.users.organizer._id, status: 'declined' });
    await deliverReply(meeting, { calendarId: newId() });
    await deliverReply(meeting, { recurrenceId: meeting.startTime });
    await deliverReply(meeting, { sequence: 7 });
    await api.service.query(
      `update meetings set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where id = $1`,
      [meeting._id],
    );
    await deliverReply(meeting, { startTime: null });
    expect([await readRsvp('organizer', meeting._id), await readRsvp('invitee', meeting._id)]).toEqual([
      'accepted',
      'pending',
    ]);
    expect(countRsvpEvents(meeting._id)).toBe(0);
  });
});
