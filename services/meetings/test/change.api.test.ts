import { meetingCancelled, meetingResponded, meetingUpdated } from '@atrium/proto-events/events/meetings';
import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inHours, startMeetings } from './factories.ts';

const UNKNOWN = 'f'.repeat(24);
let on: Awaited<ReturnType<typeof startMeetings>>;

beforeAll(async () => {
  on = await startMeetings();
});
afterAll(() => on.service.close());

const responsesOf = (body: unknown) =>
  Object.fromEntries((body as Meeting).participants.map(({ _id, responseStatus }) => [_id, responseStatus]));
const changeTo = async (meeting: Meeting) =>
  (await on.service.published(meetingUpdated, (data) => data.meetingId === meeting._id)).data;

describe('PATCH /meetings/:id', () => {
  it('changes what is given, counts the version up and publishes the difference', async () => {
    const meeting = await on.scheduled();
    const { status, body } = await on.patch('organizer', meeting._id, {
      title: 'Portal weekly',
      type: meeting.type,
      participants: [on.people.second._id],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: 'Portal weekly', version: 2 });
    expect(responsesOf(body)).toEqual({ [on.people.organizer._id]: 'accepted', [on.people.second._id]: 'pending' });
    expect(await changeTo(meeting)).toMatchObject({
      title: 'Portal weekly',
      sequence: 1,
      version: 2,
      changed: ['title', 'participants'],
      addedIds: [on.people.second._id],
      removedIds: [on.people.invitee._id],
      rsvpReset: false,
    });
    expect((await on.get('invitee', meeting._id)).status).toBe(404);
  });

  it('publishes what was known before, for those who are removed by the same change', async () => {
    const meeting = await on.scheduled({ description: 'What is next' });
    await on.patch('organizer', meeting._id, {
      title: 'Without Mia',
      description: 'Of Mia',
      meetingLink: 'https://meet.example.org/secret',
      startTime: inHours(40),
      endTime: inHours(41),
      participants: [on.people.second._id],
    });
    const { calendarBefore } = await changeTo(meeting);
    expect(calendarBefore.master).toMatchObject({
      title: meeting.title,
      description: 'What is next',
      agenda: '',
      location: '',
      meetingLink: meeting.meetingLink,
      startTime: meeting.startTime,
      endTime: meeting.endTime,
      timezone: meeting.timezone,
      recurrence: null,
    });
  });

  it('asks everybody but the organiser again when the time changes', async () => {
    const meeting = await on.scheduled({ participants: [on.people.invitee._id, on.people.second._id] });
    await on.respond('invitee', meeting._id, 'accepted');
    await on.respond('second', meeting._id, 'declined');
    const { body } = await on.patch('organizer', meeting._id, { startTime: inHours(30), endTime: inHours(31) });
    expect(responsesOf(body)).toEqual({
      [on.people.organizer._id]: 'accepted',
      [on.people.invitee._id]: 'pending',
      [on.people.second._id]: 'pending',
    });
    expect(await changeTo(meeting)).toMatchObject({ rsvpReset: true, changed: ['startTime', 'endTime'] });
  });

  it('keeps the answers when something else changes, and who stays keeps theirs when people change', async () => {
    const meeting = await on.scheduled();
    await on.respond('invitee', meeting._id, 'tentative');
    const { body } = await on.patch('admin', meeting._id, {
      location: 'Room Eiche',
      participants: [on.people.second._id, on.people.invitee._id],
    });
    expect(responsesOf(body)).toMatchObject({
      [on.people.invitee._id]: 'tentative',
      [on.people.second._id]: 'pending',
    });
  });

  it('changes nothing and publishes nothing when all is as it was', async () => {
    const meeting = await on.scheduled();
    const { title, startTime, endTime, agenda } = meeting;
    const { body } = await on.patch('organizer', meeting._id, { title, startTime, endTime, agenda });
    expect(body).toMatchObject({ version: 1 });
  });

  it('takes notes and a summary without another revision of the invitation', async () => {
    const meeting = await on.scheduled();
    const { body } = await on.patch('organizer', meeting._id, { notes: 'We agreed.', summary: 'Agreed' });
    expect(body).toMatchObject({ notes: 'We agreed.', summary: 'Agreed', version: 2 });
    expect(await changeTo(meeting)).toMatchObject({ sequence: 0, changed: ['notes', 'summary'] });
  });

  it('refuses a stale version with the present meeting, but takes one that only answers have outrun', async () => {
    const meeting = await on.scheduled();
    await on.respond('invitee', meeting._id, 'accepted');
    expect((await on.patch('organizer', meeting._id, { title: 'Two', version: 1 })).status).toBe(200);
    const { status, body } = await on.patch('admin', meeting._id, { title: 'Three', version: 2 });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'stale_version', current: { _id: meeting._id, title: 'Two', version: 3 } });
  });

  it('lets one of two win who change the same version at once', async () => {
    const meeting = await on.scheduled();
    const answers = await Promise.all([
      on.patch('organizer', meeting._id, { title: 'One', version: 1 }),
      on.patch('admin', meeting._id, { title: 'Other', version: 1 }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
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
  ])('refuses %j', async (given, sentence) => {
    const meeting = await on.scheduled();
    const { status, body } = await on.patch('organizer', meeting._id, given);
    expect(status).toBe(400);
    expect(body).toMatchObject({ message: [sentence] });
  });

  it('needs no participants: the organiser is always there', async () => {
    const meeting = await on.scheduled();
    const { status, body } = await on.patch('organizer', meeting._id, { participants: [] });
    expect(status).toBe(200);
    expect(responsesOf(body)).toEqual({ [on.people.organizer._id]: 'accepted' });
  });

  it('is for administrators and the project managers who see it', async () => {
    const meeting = await on.scheduled({ participants: [on.people.invitee._id] });
    const change = { title: 'Mine' };
    expect((await on.patch('invitee', meeting._id, change)).status).toBe(403);
    expect((await on.patch('manager', meeting._id, change)).status).toBe(404);
    expect((await on.patch('stranger', meeting._id, change)).status).toBe(404);
    expect((await on.service.call('PATCH', `/meetings/${meeting._id}`, { body: change })).status).toBe(401);
    expect((await on.patch('admin', 'nonsense', change)).status).toBe(404);
  });
});

describe('POST /meetings/:id/respond', () => {
  it('records the answer and tells the organiser', async () => {
    const meeting = await on.scheduled();
    const { status, body } = await on.respond('invitee', meeting._id, 'accepted');
    expect(status).toBe(200);
    expect(responsesOf(body)).toMatchObject({ [on.people.invitee._id]: 'accepted' });
    const event = await on.service.published(meetingResponded, (data) => data.meetingId === meeting._id);
    expect(event.data).toMatchObject({
      userId: on.people.invitee._id,
      status: 'accepted',
      organizerId: on.people.organizer._id,
      version: 2,
    });
    expect((await on.respond('invitee', meeting._id, 'accepted')).body).toMatchObject({ version: 2 });
    expect((await on.respond('invitee', meeting._id, 'declined')).body).toMatchObject({ version: 3 });
  });

  it('refuses what is no answer, and an answer to a time that no longer holds', async () => {
    const meeting = await on.scheduled();
    const wrong = await on.respond('invitee', meeting._id, 'perhaps');
    expect(wrong).toMatchObject({ status: 400, body: { message: ['Invalid response'] } });
    const startTime = meeting.startTime;
    await on.patch('organizer', meeting._id, { startTime: inHours(20), endTime: inHours(21) });
    const late = await on.respond('invitee', meeting._id, 'accepted', { startTime });
    expect(late).toMatchObject({ status: 409, body: { code: 'stale_version', current: { startTime: inHours(20) } } });
  });

  it('never leaves an answer to the old time behind when somebody reschedules at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { _id, startTime } = await on.scheduled();
      const [answered] = await Promise.all([
        on.respond('invitee', _id, 'accepted', { startTime }),
        on.patch('organizer', _id, { startTime: inHours(40 + round), endTime: inHours(41 + round) }),
      ]);
      expect([200, 409]).toContain(answered.status);
      expect(responsesOf((await on.get('invitee', _id)).body)).toMatchObject({ [on.people.invitee._id]: 'pending' });
    }
  });

  it('is for the invited only, and not for the organiser', async () => {
    const { _id } = await on.scheduled();
    expect((await on.respond('admin', _id, 'accepted')).status).toBe(403);
    expect((await on.respond('stranger', _id, 'accepted')).status).toBe(404);
    expect((await on.respond('organizer', _id, 'declined')).status).toBe(409);
    expect((await on.respond('invitee', 'nonsense', 'accepted')).status).toBe(404);
    const anonymous = await on.service.call('POST', `/meetings/${_id}/respond`, { body: { status: 'accepted' } });
    expect(anonymous.status).toBe(401);
  });
});

describe('DELETE /meetings/:id', () => {
  it('cancels the meeting for everybody', async () => {
    const meeting = await on.scheduled();
    expect((await on.remove('organizer', meeting._id)).status).toBe(204);
    expect((await on.get('organizer', meeting._id)).status).toBe(404);
    const event = await on.service.published(meetingCancelled, (data) => data.meetingId === meeting._id);
    expect(event.data).toMatchObject({
      calendarId: meeting._id,
      sequence: 1,
      recurrence: null,
      participantIds: [on.people.organizer._id, on.people.invitee._id],
    });
    expect((await on.remove('organizer', meeting._id)).status).toBe(404);
  });

  it('is for administrators and the project managers who see it', async () => {
    const { _id } = await on.scheduled();
    expect((await on.remove('invitee', _id)).status).toBe(403);
    expect((await on.remove('manager', _id)).status).toBe(404);
    expect((await on.service.call('DELETE', `/meetings/${_id}`)).status).toBe(401);
    expect((await on.remove('admin', 'nonsense')).status).toBe(404);
    expect((await on.remove('admin', _id)).status).toBe(204);
  });

  it('refuses a scope that there is not', async () => {
    const { _id } = await on.scheduled();
    expect((await on.remove('admin', _id, 'some')).status).toBe(400);
  });
});
