import type { EventOf } from '@atrium/proto-events/event';
import { meetingCancelled, meetingDue, meetingUpdated } from '@atrium/proto-events/events/meetings';
import { emailDelivered } from '@atrium/proto-events/events/notifications';
import { freePort } from '@atrium/test-kit/free-port';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildMeeting, startNotifications, type TestUsers, toCancelledEvent, toUpdatedEvent } from './factories.ts';
import { createMailServer } from './mail-server.ts';
import { emailsTo, waitForEmail } from './mailbox.ts';

let service: TestService;
let users: TestUsers;

beforeAll(async () => {
  ({ service, users } = await startNotifications());
});
afterAll(() => service.close());

const buildDueEvent = (
  overrides: Partial<EventOf<typeof meetingDue>['data']> = {},
): EventOf<typeof meetingDue>['data'] & { seriesId: null } => {
  const { member, manager } = users;
  const meeting = buildMeeting(users, { title: 'Planning of the week' });
  return { ...meeting, personIds: [member._id, manager._id], ...overrides, seriesId: null };
};

type Notification = {
  kind: string;
  actor: unknown;
  subject: { id: string; title: string };
  readAt: string | null;
  startsAt?: string;
};
type Listed = { data: Notification[]; unreadCount: number };
const listNotifications = async (user: TestUsers['member']) =>
  ((await service.call('GET', '/notifications', { as: user })).body as Listed).data;

describe('a meeting reminder', () => {
  it('is sent once, in the app and by email, to the users named by the event, including the organizer', async () => {
    const event = buildDueEvent();
    await service.deliver(meetingDue, event, 2);
    const mail = await waitForEmail(users.member.email);
    expect(mail.subject).toBe('Reminder: Planning of the week');
    expect(mail.text).toContain('This meeting starts soon.');
    expect(mail.text).toContain('When: Monday, March 22, 2083, 8:00 AM – 9:00 AM (UTC)');
    expect(mail.text).toContain('Join: https://meet.example.org/weekly');
    expect(mail.calendar).toBeNull();
    await waitForEmail(users.manager.email);
    for (const user of [users.member, users.manager]) {
      expect(await listNotifications(user)).toEqual([
        expect.objectContaining({
          kind: 'meetings.meeting.due',
          actor: null,
          subject: { resource: 'meeting', id: event.meetingId, title: event.title },
          startsAt: event.startTime,
        }),
      ]);
      expect(await emailsTo(user.email)).toHaveLength(1);
    }
    expect(await listNotifications(users.other)).toEqual([]);
    expect(await emailsTo(users.other.email)).toEqual([]);
  });
});

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const TIME_CHANGE = { removedIds: [], addedIds: [], rsvpReset: true, changed: ['startTime'], version: 2 };

describe('a reminder of an outdated start time', () => {
  it('is marked as read and shows no start time for the affected users', async () => {
    const { member, manager, other } = users;
    const event = buildDueEvent({ personIds: [member._id, manager._id, other._id], startTime: inMinutes(10) });
    await service.deliver(meetingDue, event);
    const rescheduledEvent = { ...event, startTime: inMinutes(14) };
    const { meetingId, startTime } = event;
    const staleReminders = [{ meetingId, startTime, personIds: [member._id, manager._id] }];
    const before = { ...buildMeeting(users), ...event };
    const change = { ...before, ...rescheduledEvent, ...TIME_CHANGE, staleReminders };
    await service.deliver(meetingUpdated, toUpdatedEvent(before, change), 2, manager._id);
    // A new reminder is created before the new start.
    await service.deliver(meetingDue, rescheduledEvent);
    const listReminders = async (user: TestUsers['member']) =>
      (await listNotifications(user))
        .filter(({ kind, subject }) => kind === meetingDue.type && subject.id === meetingId)
        .map(({ readAt, startsAt }) => [readAt === null ? 'unread' : 'read', startsAt]);
    for (const user of [member, manager])
      expect(await listReminders(user)).toEqual([
        ['unread', rescheduledEvent.startTime],
        ['read', undefined],
      ]);
    expect(await listReminders(other)).toEqual([
      ['unread', rescheduledEvent.startTime],
      ['unread', startTime],
    ]);
  });
});

describe('a queued reminder email', () => {
  it('is not sent after the meeting has started, was moved, or was canceled', async () => {
    const port = await freePort();
    const { service: serviceWithoutMail, users: recipients } = await startNotifications({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
    });
    const server = createMailServer();
    try {
      const { member, manager } = recipients;
      const buildMeetingDue = (overrides: Partial<EventOf<typeof meetingDue>['data']> = {}) => ({
        ...buildMeeting(recipients),
        personIds: [member._id],
        ...overrides,
        seriesId: null,
      });
      const startedMeeting = buildMeetingDue({
        title: 'Started',
        startTime: new Date(Date.now() - 6 * 60_000).toISOString(),
      });
      const canceledMeeting = buildMeetingDue({ title: 'Canceled meeting' });
      const upcomingMeeting = buildMeetingDue({ title: 'Upcoming' });
      const movedMeeting = buildMeetingDue({ title: 'Moved', startTime: inMinutes(10) });
      for (const meeting of [startedMeeting, canceledMeeting, upcomingMeeting, movedMeeting])
        await serviceWithoutMail.deliver(meetingDue, meeting);
      const { meetingId, startTime } = movedMeeting;
      const staleReminders = [{ meetingId, startTime, personIds: [member._id] }];
      const change = { ...movedMeeting, ...TIME_CHANGE, startTime: inMinutes(14), staleReminders };
      await serviceWithoutMail.deliver(meetingUpdated, toUpdatedEvent(movedMeeting, change), 1, manager._id);
      await serviceWithoutMail.deliver(
        meetingCancelled,
        toCancelledEvent({ ...canceledMeeting, version: 2 }),
        1,
        manager._id,
      );
      await server.start(port);
      const waitForOutcome = ({ meetingId }: { meetingId: string }, outcome: string) =>
        serviceWithoutMail.waitForEvent(emailDelivered, (data) => data.about === meetingId && data.outcome === outcome);
      await Promise.all([
        waitForOutcome(startedMeeting, 'failed'),
        waitForOutcome(canceledMeeting, 'failed'),
        waitForOutcome(canceledMeeting, 'sent'),
        waitForOutcome(upcomingMeeting, 'sent'),
        waitForOutcome(movedMeeting, 'failed'),
        waitForOutcome(movedMeeting, 'sent'),
      ]);
      const subjects = server.to(member.email).map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1]);
      expect(subjects.sort()).toEqual(['Cancelled: Canceled meeting', 'Reminder: Upcoming', 'Updated: Moved']);
    } finally {
      await serviceWithoutMail.close();
      await server.stop();
    }
  });
});
