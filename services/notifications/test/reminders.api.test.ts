import type { EventOf } from '@atrium/proto-events/event';
import { meetingCancelled, meetingDue, meetingUpdated } from '@atrium/proto-events/events/meetings';
import { emailDelivered } from '@atrium/proto-events/events/notifications';
import { freePort } from '@atrium/test-kit/free-port';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildMeeting, cancelledEvent, type People, startNotifications, updatedEvent } from './factories.ts';
import { createMailServer } from './mail-server.ts';
import { emailsTo, waitForEmail } from './mailbox.ts';

let service: TestService;
let people: People;

beforeAll(async () => {
  ({ service, people } = await startNotifications());
});
afterAll(() => service.close());

const due = (given: Partial<EventOf<typeof meetingDue>['data']> = {}): EventOf<typeof meetingDue>['data'] => {
  const { member, manager } = people;
  const meeting = buildMeeting(people, { title: 'Planning of the week' });
  return { ...meeting, personIds: [member._id, manager._id], ...given };
};

type Notice = {
  kind: string;
  actor: unknown;
  subject: { id: string; title: string };
  readAt: string | null;
  startsAt?: string;
};
type Listed = { data: Notice[]; unreadCount: number };
const noticesOf = async (person: People['member']) =>
  ((await service.call('GET', '/notifications', { as: person })).body as Listed).data;

describe('a meeting reminder', () => {
  it('is sent once, in the app and by email, to the users named by the event, including the organizer', async () => {
    const event = due();
    await service.deliver(meetingDue, event, 2);
    const mail = await waitForEmail(people.member.email);
    expect(mail.subject).toBe('Reminder: Planning of the week');
    expect(mail.text).toContain('This meeting starts soon.');
    expect(mail.text).toContain('When: Monday, March 22, 2027, 8:00 AM – 9:00 AM (UTC)');
    expect(mail.text).toContain('Join: https://meet.example.org/weekly');
    expect(mail.calendar).toBeNull();
    await waitForEmail(people.manager.email);
    for (const person of [people.member, people.manager]) {
      expect(await noticesOf(person)).toEqual([
        expect.objectContaining({
          kind: 'meetings.meeting.due',
          actor: null,
          subject: { resource: 'meeting', id: event.meetingId, title: event.title },
          startsAt: event.startTime,
        }),
      ]);
      expect(await emailsTo(person.email)).toHaveLength(1);
    }
    expect(await noticesOf(people.other)).toEqual([]);
    expect(await emailsTo(people.other.email)).toEqual([]);
  });
});

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const moved = { removedIds: [], addedIds: [], rsvpReset: true, changed: ['startTime'], version: 2 };

describe('a reminder of an outdated start time', () => {
  it('is marked as read and hides its time for the affected users', async () => {
    const { member, manager, other } = people;
    const event = due({ personIds: [member._id, manager._id, other._id], startTime: inMinutes(10) });
    await service.deliver(meetingDue, event);
    const later = { ...event, startTime: inMinutes(14) };
    const { meetingId, startTime } = event;
    const staleReminders = [{ meetingId, startTime, personIds: [member._id, manager._id] }];
    const before = { ...buildMeeting(people), ...event };
    const change = { ...before, ...later, ...moved, staleReminders };
    await service.deliver(meetingUpdated, updatedEvent(before, change), 2, manager._id);
    // A new reminder is created before the new start.
    await service.deliver(meetingDue, later);
    const mine = async (person: People['member']) =>
      (await noticesOf(person))
        .filter(({ kind, subject }) => kind === meetingDue.type && subject.id === meetingId)
        .map(({ readAt, startsAt }) => [readAt === null ? 'unread' : 'read', startsAt]);
    for (const person of [member, manager])
      expect(await mine(person)).toEqual([
        ['unread', later.startTime],
        ['read', undefined],
      ]);
    expect(await mine(other)).toEqual([
      ['unread', later.startTime],
      ['unread', startTime],
    ]);
  });
});

describe('a queued reminder email', () => {
  it('is not sent once the meeting has started, was moved, or was cancelled', async () => {
    const port = await freePort();
    const { service: held, people: theirs } = await startNotifications({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    const server = createMailServer();
    try {
      const { member, manager } = theirs;
      const meeting = (given: Partial<EventOf<typeof meetingDue>['data']> = {}) => ({
        ...buildMeeting(theirs),
        personIds: [member._id],
        ...given,
      });
      const begun = meeting({ title: 'Begun', startTime: new Date(Date.now() - 6 * 60_000).toISOString() });
      const cancelled = meeting({ title: 'Cancelled' });
      const coming = meeting({ title: 'Coming' });
      const gone = meeting({ title: 'Moved', startTime: inMinutes(10) });
      for (const one of [begun, cancelled, coming, gone]) await held.deliver(meetingDue, one);
      const { meetingId, startTime } = gone;
      const staleReminders = [{ meetingId, startTime, personIds: [member._id] }];
      const change = { ...gone, ...moved, startTime: inMinutes(14), staleReminders };
      await held.deliver(meetingUpdated, updatedEvent(gone, change), 1, manager._id);
      await held.deliver(meetingCancelled, cancelledEvent({ ...cancelled, version: 2 }), 1, manager._id);
      await server.start(port);
      const isSettled = ({ meetingId }: { meetingId: string }, outcome: string) =>
        held.published(emailDelivered, (data) => data.about === meetingId && data.outcome === outcome);
      await Promise.all([
        isSettled(begun, 'failed'),
        isSettled(cancelled, 'failed'),
        isSettled(cancelled, 'sent'),
        isSettled(coming, 'sent'),
        isSettled(gone, 'failed'),
        isSettled(gone, 'sent'),
      ]);
      const subjects = server.to(member.email).map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1]);
      expect(subjects.sort()).toEqual(['Cancelled: Cancelled', 'Reminder: Coming', 'Updated: Moved']);
    } finally {
      await held.close();
      await server.stop();
    }
  });
});
