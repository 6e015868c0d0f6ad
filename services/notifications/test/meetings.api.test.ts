import { meetingClosed, meetingReopened } from '@atrium/proto-events/events/meeting-closing';
import {
  calendarAttached,
  meetingCancelled,
  meetingResponded,
  meetingScheduled,
  meetingUpdated,
} from '@atrium/proto-events/events/meetings';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import {
  buildCalendar,
  buildMeeting,
  buildUniqueUser,
  startNotifications,
  toCancelledEvent,
  toScheduledEvent,
  toUpdatedEvent,
} from './factories.ts';
import { emailsTo, parseEmail, type ReceivedMail, waitForEmail } from './mailbox.ts';

let service: TestService;

beforeAll(async () => {
  ({ service } = await startNotifications());
});
afterAll(() => service.close());

async function createParticipants() {
  const users = {
    admin: buildUniqueUser({ role: 'admin' }),
    manager: buildUniqueUser({ role: 'project_manager', firstName: 'Paul', lastName: 'Manager' }),
    member: buildUniqueUser({ firstName: 'Mia', lastName: 'Member', timezone: 'America/New_York' }),
    other: buildUniqueUser({ firstName: 'Otto', lastName: 'Other' }),
  };
  service.addToDirectory(...Object.values(users));
  return users;
}

function parseCalendar({ calendar }: ReceivedMail) {
  const component = new ICAL.Component(ICAL.parse(calendar?.content ?? ''));
  const zone = component.getFirstSubcomponent('vtimezone');
  if (zone) ICAL.TimezoneService.register(zone);
  const event = component.getFirstSubcomponent('vevent');
  if (!event) throw new Error('The email has no calendar event');
  const attendees = event.getAllProperties('attendee');
  return {
    method: component.getFirstPropertyValue('method'),
    event: new ICAL.Event(event),
    status: event.getFirstPropertyValue('status'),
    answers: Object.fromEntries(
      attendees.map((attendee) => [attendee.getParameter('cn'), attendee.getParameter('partstat')]),
    ),
  };
}

const buildChange = (meeting: ReturnType<typeof buildMeeting>) => ({
  ...meeting,
  removedIds: [] as string[],
  addedIds: [] as string[],
  rsvpReset: false,
  changed: ['title'],
  sequence: meeting.sequence + 1,
  version: meeting.version + 1,
});

type Listed = { data: { kind: string; subject: { id: string } }[] };
const listKinds = async (user: { _id: string; role: 'admin' | 'project_manager' | 'member' }) => {
  const { body } = await service.call('GET', '/notifications', { as: user });
  return (body as Listed).data.map(({ kind }) => kind);
};

const listSubjectIds = async (user: Parameters<typeof listKinds>[0]) => {
  const { body } = await service.call('GET', '/notifications', { as: user });
  return (body as Listed).data.map(({ subject }) => subject.id).sort();
};

describe('a scheduled meeting', () => {
  it('invites every participant except the organizer once, with a calendar', async () => {
    const users = await createParticipants();
    const meeting = buildMeeting(users);
    await service.deliver(meetingScheduled, toScheduledEvent(meeting), 2, users.manager._id);
    const mail = await waitForEmail(users.member.email);
    expect(mail.subject).toBe('Invitation: Weekly planning');
    expect(mail.text).toContain('Monday, March 22, 2083, 4:00 AM – 5:00 AM (America/New_York)');
    expect(mail.html).toContain('<a href="https://meet.example.org/weekly"');
    const { method, event, answers } = parseCalendar(mail);
    expect(method).toBe('REQUEST');
    expect(event.uid).toBe(`${meeting.meetingId}@atrium`);
    expect(event.startDate.toJSDate().toISOString()).toBe(meeting.startTime);
    expect(answers).toEqual({ 'Mia Member': 'NEEDS-ACTION' });
    expect(await listKinds(users.member)).toEqual(['meetings.meeting.scheduled']);
    expect(await emailsTo(users.member.email)).toHaveLength(1);
    expect(await emailsTo(users.manager.email)).toHaveLength(0);
    expect(await listKinds(users.manager)).toEqual([]);
  });

  it('attaches the calendar as an alternative with its method and as a file', async () => {
    const users = await createParticipants();
    await service.deliver(meetingScheduled, toScheduledEvent(buildMeeting(users)), 1, users.manager._id);
    const mail = await waitForEmail(users.member.email);
    const { source, parsed } = await parseEmail(mail);
    expect(source).toMatch(/Content-Type: text\/calendar; charset=utf-8; method=REQUEST/i);
    expect(source).toMatch(/multipart\/alternative/);
    expect(mail.attachments).toContainEqual(expect.objectContaining({ name: 'invite.ics', type: 'application/ics' }));
    expect(parsed.replyTo?.[0]?.address).toBe(users.manager.email);
  });

  it('has RSVP links to the meeting or the whole series while a response is expected', async () => {
    const users = await createParticipants();
    const meeting = buildMeeting(users);
    await service.deliver(meetingScheduled, toScheduledEvent(meeting), 1, users.manager._id);
    const { meetingId } = meeting;
    const listRsvpLinks = ({ text = '', html = '' }: { text?: string | null; html?: string | null }) =>
      [text ?? '', html ?? ''].map((body) => [
        ...new Set(body.match(/meetings\?(?:accept|tentative|decline)=[\w-]+/g) ?? []),
      ]);
    const expectedLinks = ['accept', 'tentative', 'decline'].map((status) => `meetings?${status}=${meetingId}`);
    const invitation = await waitForEmail(users.member.email);
    expect(listRsvpLinks(invitation)).toEqual([expectedLinks, expectedLinks]);
    expect(invitation.text).toContain(`/meetings?meeting=${meetingId}`);

    const renamed = { ...buildChange(meeting), title: 'Renamed' };
    await service.deliver(meetingUpdated, toUpdatedEvent(meeting, renamed), 1, users.manager._id);
    expect(listRsvpLinks(await waitForEmail(users.member.email, 2))).toEqual([[], []]);
    // Uses a different calendar, so that no email is delayed.
    const newCalendar = { calendarId: newId(), version: renamed.version + 1 };
    const moved = { ...renamed, ...newCalendar, title: 'Moved', changed: ['startTime'], rsvpReset: true };
    await service.deliver(meetingUpdated, toUpdatedEvent(renamed, moved), 1, users.manager._id);
    expect(listRsvpLinks(await waitForEmail(users.member.email, 3))).toEqual([expectedLinks, expectedLinks]);

    const series = buildMeeting(users, { title: 'Often', recurrence: { frequency: 'weekly', until: null } });
    await service.deliver(meetingScheduled, toScheduledEvent(series), 1, users.manager._id);
    const [links] = listRsvpLinks(await waitForEmail(users.member.email, 4));
    expect(links?.[0]).toBe(`meetings?accept=${series.meetingId}-all`);

    // A new recurrence rule resets responses as well; a new time zone alone does not.
    const dailyRule = { frequency: 'daily' as const, until: null };
    const daily = { ...buildChange(series), recurrence: dailyRule, rsvpReset: true, changed: ['recurringFrequency'] };
    await service.deliver(meetingUpdated, toUpdatedEvent(series, daily), 1, users.manager._id);
    const recurrenceEmail = await waitForEmail(users.member.email, 5);
    expect(recurrenceEmail.text).toContain('The schedule of this meeting has changed. Please respond again.');
    expect(listRsvpLinks(recurrenceEmail)[0]).toEqual(links);
    const withNewTimezone = {
      ...buildChange(daily),
      calendarId: newId(),
      timezone: 'Europe/Paris',
      changed: ['timezone'],
    };
    await service.deliver(meetingUpdated, toUpdatedEvent(daily, withNewTimezone), 1, users.manager._id);
    const email = await waitForEmail(users.member.email, 6);
    expect(email.text).toContain('This meeting was changed.');
    expect(listRsvpLinks(email)).toEqual([[], []]);
  });

  it('describes the recurrence as text and as a rule', async () => {
    const users = await createParticipants();
    const recurrence = { frequency: 'weekly', until: '2083-04-05' } as const;
    await service.deliver(
      meetingScheduled,
      toScheduledEvent(buildMeeting(users, { recurrence })),
      2,
      users.manager._id,
    );
    const mail = await waitForEmail(users.member.email);
    expect(mail.text).toContain('Repeats: Every week until Monday, April 5, 2083');
    // The weekdays are those in Berlin, not those in the time zone of the reader.
    const biweeklyRule = { ...recurrence, interval: 2, weekdays: ['mon' as const, 'wed' as const], until: null };
    await service.deliver(
      meetingScheduled,
      toScheduledEvent(buildMeeting(users, { recurrence: biweeklyRule })),
      1,
      users.manager._id,
    );
    expect((await waitForEmail(users.member.email, 2)).text).toContain(
      'Repeats: Every 2 weeks on Monday and Wednesday\n',
    );
    const iterator = parseCalendar(mail).event.iterator();
    const starts = [iterator.next(), iterator.next(), iterator.next()].map((time) => time?.toJSDate().toISOString());
    expect(starts).toEqual(['2083-03-22T08:00:00.000Z', '2083-03-29T07:00:00.000Z', '2083-04-05T07:00:00.000Z']);
    expect(iterator.next()).toBeFalsy();
  });
});

describe('a changed meeting', () => {
  it('keeps responses while the time is unchanged', async () => {
    const users = await createParticipants();
    const meeting = buildMeeting(users, { participantIds: [users.member._id, users.other._id] });
    await service.deliver(meetingScheduled, toScheduledEvent(meeting), 1, users.manager._id);
    await waitForEmail(users.other.email);
    const response = {
      meetingId: meeting.meetingId,
      title: meeting.title,
      organizerId: users.manager._id,
      version: 2,
    };
    await service.deliver(
      meetingResponded,
      { ...response, userId: users.member._id, status: 'accepted', participantIds: meeting.participantIds },
      2,
      users.member._id,
    );
    const change = { ...buildChange(meeting), location: 'Room 5', changed: ['location'], version: 3 };
    const answers = [{ userId: users.member._id, status: 'accepted' as const }];
    const calendars = { calendarBefore: buildCalendar(meeting, answers), calendar: buildCalendar(change, answers) };
    await service.deliver(meetingUpdated, { ...change, ...calendars }, 2, users.manager._id);
    const mail = await waitForEmail(users.other.email, 2);
    expect(mail.subject).toBe('Updated: Weekly planning');
    const calendarEmail = parseCalendar(mail);
    expect(calendarEmail.event.sequence).toBe(1);
    expect(calendarEmail.answers).toEqual({ 'Mia Member': 'ACCEPTED', 'Otto Other': 'NEEDS-ACTION' });
    expect(await listKinds(users.manager)).toEqual(['meetings.meeting.accepted']);
    expect(await emailsTo(users.other.email)).toHaveLength(2);
  });

  it('requests new responses when the time changes', async () => {
    const users = await createParticipants();
    const meeting = buildMeeting(users);
    await service.deliver(meetingScheduled, toScheduledEvent(meeting), 1, users.manager._id);
    await waitForEmail(users.member.email);
    const { meetingId, title, organizerId, participantIds } = meeting;
    const response = { meetingId, title, organizerId, participantIds, userId: users.member._id, version: 2 };
    await service.deliver(meetingResponded, { ...response, status: 'declined' }, 1, users.member._id);
    const startTime = '2083-03-22T08:30:00.000Z';
    const change = { ...buildChange(meeting), startTime, rsvpReset: true, changed: ['startTime'], version: 3 };
    await service.deliver(meetingUpdated, toUpdatedEvent(meeting, change), 2, users.manager._id);
    const mail = await waitForEmail(users.member.email, 2);
    expect(mail.text).toContain('This meeting has a new time. Please respond again.');
    expect(parseCalendar(mail).answers).toEqual({ 'Mia Member': 'NEEDS-ACTION' });
  });

  it('invites new participants, sends cancellations to removed ones, and sends nothing to the others', async () => {
    const users = await createParticipants();
    const unaffectedUser = buildUniqueUser();
    service.addToDirectory(unaffectedUser);
    const meeting = buildMeeting(users, { participantIds: [users.member._id, unaffectedUser._id] });
    await service.deliver(meetingScheduled, toScheduledEvent(meeting), 1, users.manager._id);
    await waitForEmail(users.member.email);
    const change = {
      ...buildChange(meeting),
      participantIds: [unaffectedUser._id, users.other._id],
      removedIds: [users.member._id],
      addedIds: [users.other._id],
      changed: ['participants'],
    };
    await service.deliver(meetingUpdated, toUpdatedEvent(meeting, change), 2, users.manager._id);
    expect(parseCalendar(await waitForEmail(users.other.email)).method).toBe('REQUEST');
    const cancellation = parseCalendar(await waitForEmail(users.member.email, 2));
    expect(cancellation).toMatchObject({
      method: 'CANCEL',
      status: 'CANCELLED',
      answers: { 'Mia Member': 'NEEDS-ACTION' },
    });
    expect(await listKinds(users.member)).toEqual(['meetings.participant.removed']);
    expect(await emailsTo(unaffectedUser.email)).toHaveLength(1);
  });

  it('sends removed participants no details newer than their removal', async () => {
    const users = await createParticipants();
    const meeting = buildMeeting(users);
    await service.deliver(meetingScheduled, toScheduledEvent(meeting), 1, users.manager._id);
    await waitForEmail(users.member.email);
    const change = {
      ...buildChange(meeting),
      title: 'The secret plan',
      description: 'Private notes',
      location: 'Room 9',
      meetingLink: 'https://meet.example.org/secret',
      startTime: '2083-03-23T12:00:00.000Z',
      endTime: '2083-03-23T13:00:00.000Z',
      participantIds: [users.other._id],
      removedIds: [users.member._id],
      addedIds: [users.other._id],
      rsvpReset: true,
      changed: ['title', 'description', 'location', 'meetingLink', 'startTime', 'endTime', 'participants'],
    };
    await service.deliver(meetingUpdated, toUpdatedEvent(meeting, change), 2, users.manager._id);
    const cancellation = await waitForEmail(users.member.email, 2);
    expect(cancellation.subject).toBe('Cancelled: Weekly planning');
    expect(cancellation.text).toContain('Monday, March 22, 2083, 4:00 AM');
    const { event, method } = parseCalendar(cancellation);
    expect(method).toBe('CANCEL');
    expect(event.sequence).toBe(1);
    const { source } = await parseEmail(cancellation);
    const emailParts = [source, cancellation.text, cancellation.html, cancellation.calendar?.content].join('\n');
    for (const newDetail of ['secret', 'Private notes', 'Room 9', 'March 23', '20830323'])
      expect(emailParts).not.toContain(newDetail);
    const { body } = await service.call('GET', '/notifications', { as: users.member });
    expect(JSON.stringify(body)).not.toContain('secret');
    expect((await waitForEmail(users.other.email)).subject).toBe('Invitation: The secret plan');
  });

  it('handles calendars that arrived in parts, and cancels single occurrences for their guests', async () => {
    const users = await createParticipants();
    const recurrence = { frequency: 'weekly', until: '2083-03-28' } as const;
    const meeting = buildMeeting(users, { recurrence });
    const canceledOccurrences = ['2083-03-29T07:00:00.000Z', '2083-04-05T07:00:00.000Z'].map((recurrenceId, index) => ({
      meetingId: String(index).repeat(24),
      recurrenceId,
      startTime: recurrenceId,
      endTime: recurrenceId.replace('T07', 'T08'),
      participantIds: [...meeting.participantIds, users.other._id],
    }));
    const changeId = 'c'.repeat(24);
    for (const [index, occurrence] of canceledOccurrences.entries()) {
      const part = { changeId, index, of: 'calendarBefore' as const, occurrences: [occurrence], excludedStarts: [] };
      await service.deliver(calendarAttached, part, 2, users.manager._id);
    }
    const { title, description, agenda, location, meetingLink, startTime, endTime, timezone, participantIds } = meeting;
    const fields = { title, description, agenda, location, meetingLink, startTime, endTime, timezone, participantIds };
    const master = { ...fields, answers: [], recurrence, excludedStarts: [] };
    const calendarBefore = {
      timezone,
      master: { ...master, recurrence: { ...recurrence, until: null } },
      occurrences: [],
    };
    const calendar = { timezone, master, occurrences: [] };
    const change = { ...buildChange(meeting), calendar, calendarBefore, changed: ['recurringEndDate'] };
    const calendarParts = { changeId, count: canceledOccurrences.length };
    await service.deliver(meetingUpdated, { ...change, calendarParts }, 2, users.manager._id);
    await waitForEmail(users.other.email, 2);
    const calendars = (await emailsTo(users.other.email)).map(parseCalendar);
    expect(calendars.map(({ method }) => method)).toEqual(['CANCEL', 'CANCEL']);
    const starts = calendars.map(({ event }) => event.recurrenceId.toJSDate().toISOString());
    expect(starts.sort()).toEqual(canceledOccurrences.map(({ recurrenceId }) => recurrenceId));
    expect(parseCalendar(await waitForEmail(users.member.email)).method).toBe('REQUEST');
  });

  it('sends nothing when only notes change', async () => {
    const users = await createParticipants();
    const meeting = buildMeeting(users);
    await service.deliver(meetingScheduled, toScheduledEvent(meeting), 1, users.manager._id);
    await waitForEmail(users.member.email);
    const change = { ...buildChange(meeting), changed: ['notes'] };
    await service.deliver(meetingUpdated, toUpdatedEvent(meeting, change), 2, users.manager._id);
    expect(await listKinds(users.member)).toEqual(['meetings.meeting.scheduled']);
    expect(await emailsTo(users.member.email)).toHaveLength(1);
  });
});

describe('a canceled meeting', () => {
  it('is removed from every calendar once', async () => {
    const users = await createParticipants();
    const meeting = buildMeeting(users, { sequence: 3, recurrenceId: '2083-03-22T08:00:00.000Z' });
    await service.deliver(meetingCancelled, toCancelledEvent(meeting), 2, users.manager._id);
    const mail = await waitForEmail(users.member.email);
    expect(mail.subject).toBe('Cancelled: Weekly planning');
    const { method, event } = parseCalendar(mail);
    expect(method).toBe('CANCEL');
    expect(event.recurrenceId.toJSDate().toISOString()).toBe('2083-03-22T08:00:00.000Z');
    expect(await emailsTo(users.member.email)).toHaveLength(1);
  });
});

/** A series of three Mondays, of which the second was moved to Tuesday. */
function buildSeries(users: Awaited<ReturnType<typeof createParticipants>>) {
  const { manager, member, other } = users;
  const recurrence = { frequency: 'weekly', until: '2083-04-05' } as const;
  const meeting = buildMeeting(users, { recurrence, participantIds: [manager._id, member._id] });
  const { title, description, agenda, location, meetingLink, startTime, endTime, timezone, participantIds } = meeting;
  const master = {
    title,
    description,
    agenda,
    location,
    meetingLink,
    startTime,
    endTime,
    timezone,
    participantIds,
    recurrence,
    answers: [{ userId: member._id, status: 'accepted' as const }],
    excludedStarts: [] as string[],
  };
  const moved = {
    meetingId: newId(),
    recurrenceId: '2083-03-29T07:00:00.000Z',
    startTime: '2083-03-30T12:00:00.000Z',
    endTime: '2083-03-30T13:00:00.000Z',
    participantIds: [manager._id, member._id, other._id],
    answers: [{ userId: member._id, status: 'declined' as const }],
  };
  return { meeting, master, moved, calendar: { timezone, master, occurrences: [moved] } };
}

const parseEvents = ({ calendar }: ReceivedMail) =>
  new ICAL.Component(ICAL.parse(calendar?.content ?? '')).getAllSubcomponents('vevent');
const listStatuses = (event: ICAL.Component | undefined) =>
  event?.getAllProperties('attendee').map((attendee) => attendee.getParameter('partstat'));

describe('a closed meeting', () => {
  async function close(fields: { summary?: string; decisions?: { decisionId: string; text: string }[] }) {
    const users = await createParticipants();
    const { meetingId, title, startTime, timezone, organizerId, participantIds } = buildMeeting(users);
    const meeting = { meetingId, organizerId, participantIds: [...participantIds, users.other._id], project: null };
    const closing = { ...meeting, closingId: newId(), closedBy: users.other._id, version: 2 };
    const content = { title, startTime, timezone, summary: '', decisions: [], post: false, ...fields };
    await service.deliver(meetingClosed, { ...closing, ...content }, 2, users.other._id);
    const reopen = () => service.deliver(meetingReopened, closing, 2, users.other._id);
    const listAll = () => Promise.all([users.manager, users.member, users.other].map(listKinds));
    return { listAll, reopen };
  }
  const CLOSED = ['meetings.meeting.closed'];

  it('notifies its participants of a summary or decisions, except who closed it', async () => {
    const decisions = [{ decisionId: newId(), text: 'We start on Monday' }];
    for (const fields of [{ summary: 'All is well' }, { decisions }]) {
      const { listAll } = await close(fields);
      expect(await listAll()).toEqual([CLOSED, CLOSED, []]);
    }
  });

  it('notifies nobody without either', async () => {
    const { listAll } = await close({});
    expect(await listAll()).toEqual([[], [], []]);
  });

  it('withdraws the notifications that are unread when it is reopened', async () => {
    const { listAll, reopen } = await close({ summary: 'All is well' });
    await reopen();
    expect(await listAll()).toEqual([[], [], []]);
  });
});

describe('an event with calendars', () => {
  it('sends a series with its moved occurrence, including the responses to each, to its participants', async () => {
    const users = await createParticipants();
    const { meeting, calendar } = buildSeries(users);
    await service.deliver(meetingScheduled, { ...meeting, calendar }, 2, users.manager._id);
    const [master, moved] = parseEvents(await waitForEmail(users.member.email));
    expect(master?.getFirstPropertyValue('rrule')?.toString()).toContain('FREQ=WEEKLY');
    expect(listStatuses(master)).toEqual(['ACCEPTED']);
    expect(moved?.getFirstPropertyValue('recurrence-id')?.toString()).toBe('2083-03-29T09:00:00');
    expect(moved?.getFirstPropertyValue('dtstart')?.toString()).toBe('2083-03-30T14:00:00');
    expect(listStatuses(moved)).toEqual(['DECLINED', 'NEEDS-ACTION']);
    expect((await waitForEmail(users.member.email)).text).toContain('When: Monday, March 22, 2083, 4:00 AM – 5:00 AM');
    // A guest of one occurrence learns nothing about the series.
    const [singleEvent, ...otherEvents] = parseEvents(await waitForEmail(users.other.email));
    expect(otherEvents).toEqual([]);
    expect(singleEvent?.hasProperty('rrule')).toBe(false);
    expect(await listKinds(users.other)).toEqual(['meetings.meeting.scheduled']);
    expect(await emailsTo(users.manager.email)).toHaveLength(0);
  });

  it('emails only participants whose calendar changes', async () => {
    const users = await createParticipants();
    const { meeting, master, moved, calendar } = buildSeries(users);
    const occurrences = [{ ...moved, title: 'Separate title' }];
    const change = { ...buildChange(meeting), calendarBefore: calendar, calendar: { ...calendar, occurrences } };
    await service.deliver(meetingUpdated, { ...change, changed: ['title'] }, 2, users.manager._id);
    const mail = await waitForEmail(users.other.email);
    expect(mail.subject).toBe('Updated: Separate title');
    expect(mail.text).toContain('This meeting was changed.');
    expect(parseEvents(await waitForEmail(users.member.email))).toHaveLength(2);
    // A change of responses only is not sent.
    const calendarWithoutResponse = { ...calendar, master: { ...master, answers: [] }, occurrences };
    const responseChange = {
      ...change,
      changed: ['participants'],
      calendarBefore: change.calendar,
      calendar: calendarWithoutResponse,
    };
    await service.deliver(meetingUpdated, responseChange, 1, users.manager._id);
    expect(await emailsTo(users.other.email)).toHaveLength(1);
  });

  it('cancels a series for a removed participant with the details they knew and a current sequence', async () => {
    const users = await createParticipants();
    const { meeting, master, calendar } = buildSeries(users);
    const secretMaster = {
      ...master,
      title: 'The secret plan',
      participantIds: [users.manager._id, users.other._id],
    };
    const change = {
      ...buildChange(meeting),
      title: secretMaster.title,
      participantIds: secretMaster.participantIds,
      removedIds: [users.member._id],
      addedIds: [users.other._id],
      changed: ['title', 'participants'],
      calendarBefore: calendar,
      calendar: { ...calendar, master: secretMaster, occurrences: [] },
    };
    await service.deliver(meetingUpdated, change, 2, users.manager._id);
    const cancellation = await waitForEmail(users.member.email);
    expect(cancellation.subject).toBe('Cancelled: Weekly planning');
    const { source } = await parseEmail(cancellation);
    expect([source, cancellation.calendar?.content].join('\n')).not.toContain('secret');
    expect(parseCalendar(cancellation)).toMatchObject({ method: 'CANCEL', status: 'CANCELLED' });
    expect(parseCalendar(cancellation).event.sequence).toBe(1);
    expect(await listKinds(users.member)).toEqual(['meetings.participant.removed']);
    // The series replaces the single meeting in their calendar.
    expect(parseCalendar(await waitForEmail(users.other.email))).toMatchObject({ method: 'REQUEST' });
    expect(await emailsTo(users.other.email)).toHaveLength(1);
  });

  it('names an organizer in every calendar, even a deleted one without an address', async () => {
    const users = await createParticipants();
    const deletedOrganizer = buildUniqueUser({
      firstName: 'Deleted',
      lastName: 'user',
      email: '',
      status: 'inactive',
      deleted: true,
    });
    service.addToDirectory(deletedOrganizer);
    const { meeting, calendar } = buildSeries({ ...users, manager: deletedOrganizer });
    const data = { ...meeting, calendar: { ...calendar, occurrences: [] } };
    await service.deliver(meetingScheduled, data, 1, users.admin._id);
    const mail = await waitForEmail(users.member.email);
    const [organizer] = parseEvents(mail).map((event) => event.getFirstProperty('organizer'));
    expect(organizer?.getFirstValue()).toBe('mailto:no-reply@atrium.example.org');
    expect(organizer?.getFirstParameter('sent-by')).toBeUndefined();
    const { parsed } = await parseEmail(mail);
    expect(parsed.replyTo).toBeUndefined();
  });

  it('reports that a series ends, or that a participant is removed, as of an occurrence', async () => {
    const users = await createParticipants();
    const { manager, admin, member, other } = users;
    const { meeting, calendar } = buildSeries(users);
    const participantIds = [manager._id, member._id, other._id];
    const master = { ...calendar.master, participantIds };
    const endedRule = { recurrence: { frequency: 'weekly' as const, until: '2083-03-28' } };
    const from = '2083-03-29T07:00:00.000Z';
    const change = {
      ...buildChange({ ...meeting, ...endedRule, participantIds }),
      changed: ['recurringEndDate'],
      calendarBefore: { ...calendar, master, occurrences: [] },
      calendar: { ...calendar, master: { ...master, ...endedRule }, occurrences: [] },
    };
    const removal = { from, as: 'removed' as const, personIds: [member._id] };
    await service.deliver(meetingUpdated, { ...change, truncatedFor: removal }, 2, admin._id);
    const cancellation = await waitForEmail(member.email);
    expect(cancellation.subject).toBe('Cancelled: Weekly planning');
    expect(cancellation.text).toContain('Starting Monday, March 29, 2083, you are no longer invited');
    // Their calendar keeps the earlier occurrences.
    expect(parseCalendar(cancellation)).toMatchObject({ method: 'REQUEST', status: 'CONFIRMED' });
    expect((await waitForEmail(other.email)).text).toContain('This meeting was changed.');

    const cancellationForAll = { from, as: 'cancelled' as const, personIds: participantIds };
    await service.deliver(meetingUpdated, { ...change, truncatedFor: cancellationForAll }, 2, admin._id);
    const secondEmail = await waitForEmail(other.email, 2);
    expect(secondEmail.subject).toBe('Cancelled: Weekly planning');
    expect(secondEmail.text).toContain(
      'All occurrences of this meeting starting Monday, March 29, 2083, were cancelled.',
    );

    const removedKind = 'meetings.participant.removed';
    const canceledKind = 'meetings.meeting.cancelled';
    expect(await listKinds(member)).toEqual([canceledKind, removedKind]);
    expect(await listKinds(other)).toEqual([canceledKind, 'meetings.meeting.updated']);
    // The organizer keeps the series until all of it is canceled.
    expect(await listKinds(manager)).toEqual([canceledKind, 'meetings.meeting.updated']);
    const { body } = await service.call('GET', '/notifications', { as: member });
    expect((body as { data: { from?: string }[] }).data.map((notification) => notification.from)).toEqual([from, from]);
  });

  it('states the time of the first occurrence if it was moved', async () => {
    const users = await createParticipants();
    const { meeting, calendar, moved } = buildSeries(users);
    const times = { startTime: '2083-03-22T10:00:00.000Z', endTime: '2083-03-22T11:00:00.000Z' };
    const movedFirst = { ...moved, ...times, recurrenceId: meeting.startTime };
    await service.deliver(meetingScheduled, { ...meeting, calendar: { ...calendar, occurrences: [movedFirst] } }, 2);
    const { text } = await waitForEmail(users.member.email);
    expect(text).toContain('When: Monday, March 22, 2083, 6:00 AM – 7:00 AM (America/New_York)');
    expect(text).toContain('Repeats: Every week until Monday, April 5, 2083');
  });

  it('sends no updates about past occurrences to a participant removed from an ongoing series', async () => {
    const users = await createParticipants();
    const { manager, member, other } = users;
    const { meeting, calendar } = buildSeries(users);
    const timeFromNow = (days: number, hours = 0) =>
      new Date(Date.now() + days * 86_400_000 + hours * 3_600_000).toISOString();
    const pastStart = {
      startTime: timeFromNow(-15),
      endTime: timeFromNow(-15, 1),
      recurrence: { frequency: 'daily' as const, until: null },
    };
    const remainingIds = [manager._id, other._id];
    const pastOccurrences = [-15, -14, -13].map((days) => ({
      meetingId: newId(),
      recurrenceId: timeFromNow(days),
      startTime: timeFromNow(days),
      endTime: timeFromNow(days, 1),
      participantIds: [...remainingIds, member._id],
    }));
    const masterBefore = {
      ...calendar.master,
      ...pastStart,
      participantIds: [...remainingIds, member._id],
      answers: [],
    };
    const change = {
      ...buildChange(meeting),
      ...pastStart,
      participantIds: remainingIds,
      removedIds: [member._id],
      changed: ['title', 'participants'],
      calendarBefore: { ...calendar, master: masterBefore, occurrences: [] },
      calendar: {
        ...calendar,
        master: { ...masterBefore, title: 'Renamed', participantIds: remainingIds },
        occurrences: pastOccurrences,
      },
    };
    await service.deliver(meetingUpdated, change, 2, manager._id);
    // Emails of an event are queued before the next event is handled.
    await service.deliver(
      meetingScheduled,
      toScheduledEvent(buildMeeting(users, { title: 'Another' })),
      1,
      manager._id,
    );
    await waitForEmail(member.email, 2);
    const subjects = (await emailsTo(member.email)).map(({ subject }) => subject);
    expect(subjects.sort()).toEqual(['Cancelled: Weekly planning', 'Invitation: Another']);
    expect((await waitForEmail(other.email)).subject).toBe('Updated: Renamed');
  });

  it('creates a notification for each occurrence that changes', async () => {
    const users = await createParticipants();
    const { manager, member, other } = users;
    const { meeting, calendar, moved } = buildSeries(users);
    const { recurrenceId: _, ...occurrenceFields } = moved;
    const starts = ['2083-03-29T07:00:00.000Z', '2083-04-05T07:00:00.000Z', '2083-04-12T07:00:00.000Z'];
    const occurrences = starts.map((recurrenceId) => ({ ...occurrenceFields, meetingId: newId(), recurrenceId }));
    const relocatedOccurrences = occurrences.map((occurrence) => ({ ...occurrence, location: 'Room 9' }));
    const change = { ...buildChange(meeting), changed: ['location'], calendarBefore: { ...calendar, occurrences } };
    const relocation = { ...change, calendar: { ...calendar, occurrences: relocatedOccurrences } };
    await service.deliver(meetingUpdated, relocation, 2, manager._id);
    expect(await listSubjectIds(other)).toEqual(occurrences.map(({ meetingId }) => meetingId).sort());
    expect(await listKinds(other)).toEqual(Array(3).fill(meetingUpdated.type));
    expect(await listKinds(member)).toEqual([meetingUpdated.type]);

    const removal = { ...relocation, calendarBefore: relocation.calendar, calendar: { ...calendar, occurrences: [] } };
    await service.deliver(meetingUpdated, { ...removal, removedIds: [other._id] }, 2, manager._id);
    expect((await listKinds(other)).slice(0, 3)).toEqual(Array(3).fill('meetings.participant.removed'));
  });

  it('notifies a participant of both their removal from a series and their invitation to one of its occurrences', async () => {
    const users = await createParticipants();
    const { manager, member } = users;
    const { meeting, master, moved, calendar } = buildSeries(users);
    const masterWithoutMember = { ...master, participantIds: [manager._id] };
    const change = {
      ...buildChange(meeting),
      removedIds: [member._id],
      calendarBefore: { ...calendar, occurrences: [] },
    };
    const occurrenceInvitation = {
      ...change,
      calendar: { ...calendar, master: masterWithoutMember, occurrences: [moved] },
    };
    await service.deliver(meetingUpdated, occurrenceInvitation, 2, manager._id);
    expect((await listKinds(member)).sort()).toEqual([meetingScheduled.type, 'meetings.participant.removed']);
  });

  it('shows only the invitation if the event names the occurrence that the user is invited to', async () => {
    const users = await createParticipants();
    const { manager, member } = users;
    const { meeting, master, moved, calendar } = buildSeries(users);
    const masterWithoutMember = { ...master, participantIds: [manager._id] };
    const namedOccurrence = { ...moved, meetingId: meeting.meetingId };
    const change = {
      ...buildChange(meeting),
      removedIds: [member._id],
      calendarBefore: { ...calendar, occurrences: [] },
    };
    const occurrenceInvitation = {
      ...change,
      calendar: { ...calendar, master: masterWithoutMember, occurrences: [namedOccurrence] },
    };
    await service.deliver(meetingUpdated, occurrenceInvitation, 2, manager._id);
    expect(await listKinds(member)).toEqual([meetingScheduled.type]);
    // The calendar needs both emails.
    await waitForEmail(member.email, 2);
  });

  it('lists only the recipient when there are more than a hundred attendees', async () => {
    const users = await createParticipants();
    const { meeting, calendar } = buildSeries(users);
    const extraAttendees = Array.from({ length: 100 }, () => buildUniqueUser());
    service.addToDirectory(...extraAttendees);
    const participantIds = [...meeting.participantIds, ...extraAttendees.map(({ _id }) => _id)];
    const largeCalendar = { ...calendar, master: { ...calendar.master, participantIds }, occurrences: [] };
    await service.deliver(
      meetingScheduled,
      { ...meeting, participantIds, calendar: largeCalendar },
      2,
      users.manager._id,
    );
    const [event] = parseEvents(await waitForEmail(users.member.email));
    expect(event?.getAllProperties('attendee').map((attendee) => attendee.getFirstValue())).toEqual([
      `mailto:${users.member.email}`,
    ]);
    const lastAttendee = extraAttendees.at(-1);
    expect(parseEvents(await waitForEmail(lastAttendee?.email ?? ''))).toHaveLength(1);
  });
});
