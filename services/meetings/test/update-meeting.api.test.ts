import { meetingCancelled, meetingResponded, meetingUpdated } from '@atrium/proto-events/events/meetings';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inHours, startMeetings } from './factories.ts';

const UNKNOWN = 'f'.repeat(24);
let api: Awaited<ReturnType<typeof startMeetings>>;

beforeAll(async () => {
  api = await startMeetings();
});
afterAll(() => api.service.close());

const getRsvps = (body: unknown) =>
  Object.fromEntries((body as Meeting).participants.map(({ _id, responseStatus }) => [_id, responseStatus]));
const readChange = async (meeting: Meeting) =>
  (await api.service.waitForEvent(meetingUpdated, (data) => data.meetingId === meeting._id)).data;

describe('PATCH /meetings/:id', () => {
  it('changes the given fields, increments the version, and publishes the difference', async () => {
    const meeting = await api.scheduleMeeting();
    const { status, body } = await api.patch('organizer', meeting._id, {
      title: 'Portal weekly',
      type: meeting.type,
      participants: [api.users.second._id],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: 'Portal weekly', version: 2 });
    expect(getRsvps(body)).toEqual({ [api.users.organizer._id]: 'accepted', [api.users.second._id]: 'pending' });
    expect(await readChange(meeting)).toMatchObject({
      title: 'Portal weekly',
      sequence: 1,
      version: 2,
      changed: ['title', 'participants'],
      addedIds: [api.users.second._id],
      removedIds: [api.users.invitee._id],
      rsvpReset: false,
    });
    expect((await api.get('invitee', meeting._id)).status).toBe(404);
  });

  it('publishes the previous values for participants removed by the same change', async () => {
    const meeting = await api.scheduleMeeting({ description: 'The next steps' });
    await api.patch('organizer', meeting._id, {
      title: 'Without Mia',
      description: 'About Mia',
      meetingLink: 'https://meet.example.org/secret',
      startTime: inHours(40),
      endTime: inHours(41),
      participants: [api.users.second._id],
    });
    const { calendarBefore } = await readChange(meeting);
    expect(calendarBefore.master).toMatchObject({
      title: meeting.title,
      description: 'The next steps',
      agenda: '',
      location: '',
      meetingLink: meeting.meetingLink,
      startTime: meeting.startTime,
      endTime: meeting.endTime,
      timezone: meeting.timezone,
      recurrence: null,
    });
  });

  it('resets all RSVPs except that of the organizer when the time changes', async () => {
    const meeting = await api.scheduleMeeting({ participants: [api.users.invitee._id, api.users.second._id] });
    await api.respond('invitee', meeting._id, 'accepted');
    await api.respond('second', meeting._id, 'declined');
    const { body } = await api.patch('organizer', meeting._id, { startTime: inHours(30), endTime: inHours(31) });
    expect(getRsvps(body)).toEqual({
      [api.users.organizer._id]: 'accepted',
      [api.users.invitee._id]: 'pending',
      [api.users.second._id]: 'pending',
    });
    expect(await readChange(meeting)).toMatchObject({ rsvpReset: true, changed: ['startTime', 'endTime'] });
  });

  it('keeps the RSVPs of remaining participants when the time stays', async () => {
    const meeting = await api.scheduleMeeting();
    await api.respond('invitee', meeting._id, 'tentative');
    const { body } = await api.patch('admin', meeting._id, {
      location: 'Room Eiche',
      participants: [api.users.second._id, api.users.invitee._id],
    });
    expect(getRsvps(body)).toMatchObject({
      [api.users.invitee._id]: 'tentative',
      [api.users.second._id]: 'pending',
    });
  });

  it('ignores unchanged values and keeps the version', async () => {
    const meeting = await api.scheduleMeeting();
    const { title, startTime, endTime, agenda } = meeting;
    const { body } = await api.patch('organizer', meeting._id, { title, startTime, endTime, agenda });
    expect(body).toMatchObject({ version: 1 });
  });

  it('saves notes and summary without a new revision of the invitation', async () => {
    const meeting = await api.scheduleMeeting();
    const { body } = await api.patch('organizer', meeting._id, { notes: 'We agreed.', summary: 'Agreed' });
    expect(body).toMatchObject({ notes: 'We agreed.', summary: 'Agreed', version: 2 });
    expect(await readChange(meeting)).toMatchObject({ sequence: 0, changed: ['notes', 'summary'] });
  });

  it('rejects a stale version with the current meeting, but accepts one that is older only by RSVPs', async () => {
    const meeting = await api.scheduleMeeting();
    await api.respond('invitee', meeting._id, 'accepted');
    expect((await api.patch('organizer', meeting._id, { title: 'Two', version: 1 })).status).toBe(200);
    const { status, body } = await api.patch('admin', meeting._id, { title: 'Three', version: 2 });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'stale_version', current: { _id: meeting._id, title: 'Two', version: 3 } });
  });

  it('accepts one of two concurrent changes of the same version', async () => {
    const meeting = await api.scheduleMeeting();
    const responses = await Promise.all([
      api.patch('organizer', meeting._id, { title: 'One', version: 1 }),
      api.patch('admin', meeting._id, { title: 'Other', version: 1 }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it.each([
    [{ title: '' }, 'Meeting title is required'],
    [{ meetingLink: 'ftp://example.org' }, 'Please enter a valid URL'],
    [{ startTime: inHours(3), endTime: inHours(2) }, 'End time must be after start time'],
    [{ endTime: inHours(1) }, 'End time must be after start time'],
    [{ startTime: inHours(-3), endTime: inHours(-2) }, 'Meeting time cannot be in the past'],
    [{ participants: [UNKNOWN] }, 'Participants must be active users'],
    [{ notes: 'x'.repeat(2001) }, 'Notes must be at most 2000 characters'],
    [{ summary: 'x'.repeat(3001) }, 'Summary must be at most 3000 characters'],
    [{ isRecurring: true }, 'Frequency is required for recurring meetings'],
  ])('rejects %j', async (change, message) => {
    const meeting = await api.scheduleMeeting();
    const { status, body } = await api.patch('organizer', meeting._id, change);
    expect(status).toBe(400);
    expect(body).toMatchObject({ message: [message] });
  });

  it('accepts an empty list of participants and keeps the organizer', async () => {
    const meeting = await api.scheduleMeeting();
    const { status, body } = await api.patch('organizer', meeting._id, { participants: [] });
    expect(status).toBe(200);
    expect(getRsvps(body)).toEqual({ [api.users.organizer._id]: 'accepted' });
  });

  it('accepts only administrators and project managers who can see the meeting', async () => {
    const meeting = await api.scheduleMeeting({ participants: [api.users.invitee._id] });
    const change = { title: 'Mine' };
    expect((await api.patch('invitee', meeting._id, change)).status).toBe(403);
    expect((await api.patch('manager', meeting._id, change)).status).toBe(404);
    expect((await api.patch('stranger', meeting._id, change)).status).toBe(404);
    expect((await api.service.call('PATCH', `/meetings/${meeting._id}`, { body: change })).status).toBe(401);
    expect((await api.patch('admin', 'nonsense', change)).status).toBe(404);
  });
});

describe('POST /meetings/:id/respond', () => {
  it('records the RSVP and publishes it to the organizer', async () => {
    const meeting = await api.scheduleMeeting();
    const { status, body } = await api.respond('invitee', meeting._id, 'accepted');
    expect(status).toBe(200);
    expect(getRsvps(body)).toMatchObject({ [api.users.invitee._id]: 'accepted' });
    const event = await api.service.waitForEvent(meetingResponded, (data) => data.meetingId === meeting._id);
    expect(event.data).toMatchObject({
      userId: api.users.invitee._id,
      status: 'accepted',
      organizerId: api.users.organizer._id,
      version: 2,
    });
    expect((await api.respond('invitee', meeting._id, 'accepted')).body).toMatchObject({ version: 2 });
    expect((await api.respond('invitee', meeting._id, 'declined')).body).toMatchObject({ version: 3 });
  });

  it('rejects invalid RSVPs, and RSVPs to an outdated time', async () => {
    const meeting = await api.scheduleMeeting();
    const invalid = await api.respond('invitee', meeting._id, 'perhaps');
    expect(invalid).toMatchObject({ status: 400, body: { message: ['Invalid response'] } });
    const startTime = meeting.startTime;
    await api.patch('organizer', meeting._id, { startTime: inHours(20), endTime: inHours(21) });
    const outdated = await api.respond('invitee', meeting._id, 'accepted', { startTime });
    expect(outdated).toMatchObject({
      status: 409,
      body: { code: 'stale_version', current: { startTime: inHours(20) } },
    });
  });

  it('leaves no RSVP to the old time when the meeting is rescheduled concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { _id, startTime } = await api.scheduleMeeting();
      const [response] = await Promise.all([
        api.respond('invitee', _id, 'accepted', { startTime }),
        api.patch('organizer', _id, { startTime: inHours(40 + round), endTime: inHours(41 + round) }),
      ]);
      expect([200, 409]).toContain(response.status);
      expect(getRsvps((await api.get('invitee', _id)).body)).toMatchObject({ [api.users.invitee._id]: 'pending' });
    }
  });

  it('rejects uninvited users and the organizer', async () => {
    const { _id } = await api.scheduleMeeting();
    expect((await api.respond('admin', _id, 'accepted')).status).toBe(403);
    expect((await api.respond('stranger', _id, 'accepted')).status).toBe(404);
    expect((await api.respond('organizer', _id, 'declined')).status).toBe(409);
    expect((await api.respond('invitee', 'nonsense', 'accepted')).status).toBe(404);
    const anonymous = await api.service.call('POST', `/meetings/${_id}/respond`, { body: { status: 'accepted' } });
    expect(anonymous.status).toBe(401);
  });
});

describe('DELETE /meetings/:id', () => {
  it('cancels the meeting for all participants', async () => {
    const meeting = await api.scheduleMeeting();
    expect((await api.remove('organizer', meeting._id)).status).toBe(204);
    expect((await api.get('organizer', meeting._id)).status).toBe(404);
    const event = await api.service.waitForEvent(meetingCancelled, (data) => data.meetingId === meeting._id);
    expect(event.data).toMatchObject({
      calendarId: meeting._id,
      sequence: 1,
      recurrence: null,
      participantIds: [api.users.organizer._id, api.users.invitee._id],
    });
    expect((await api.remove('organizer', meeting._id)).status).toBe(404);
  });

  it('accepts only administrators and project managers who can see the meeting', async () => {
    const { _id } = await api.scheduleMeeting();
    expect((await api.remove('invitee', _id)).status).toBe(403);
    expect((await api.remove('manager', _id)).status).toBe(404);
    expect((await api.service.call('DELETE', `/meetings/${_id}`)).status).toBe(401);
    expect((await api.remove('admin', 'nonsense')).status).toBe(404);
    expect((await api.remove('admin', _id)).status).toBe(204);
  });

  it('rejects an unknown scope', async () => {
    const { _id } = await api.scheduleMeeting();
    expect((await api.remove('admin', _id, 'some')).status).toBe(400);
  });
});
