import type { EventOf } from '@atrium/proto-events/event';
import { meetingDue } from '@atrium/proto-events/events/meeting-reminders';
import { meetingCancelled } from '@atrium/proto-events/events/meetings';
import { mailDelivered } from '@atrium/proto-events/events/notifications';
import { freePort } from '@atrium/test-kit/free-port';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aMeeting, type People, startNotifications } from './factories.ts';
import { createMailServer } from './mail-server.ts';
import { mailsTo, mailTo } from './mailbox.ts';

let service: TestService;
let people: People;

beforeAll(async () => {
  ({ service, people } = await startNotifications());
});
afterAll(() => service.close());

const due = (given: Partial<EventOf<typeof meetingDue>['data']> = {}): EventOf<typeof meetingDue>['data'] => {
  const { member, manager } = people;
  const meeting = aMeeting(people, { title: 'Planning of the week' });
  return { ...meeting, personIds: [member._id, manager._id], ...given };
};

type Listed = { data: { kind: string; actor: unknown; subject: { id: string; title: string } }[] };
const noticesOf = async (person: People['member']) =>
  ((await service.call('GET', '/notifications', { as: person })).body as Listed).data;

describe('a meeting that is due', () => {
  it('is told once, here and by mail, to those alone whom the event names, the organiser like everybody', async () => {
    const event = due();
    await service.deliver(meetingDue, event, 2);
    const mail = await mailTo(people.member.email);
    expect(mail.subject).toBe('Reminder: Planning of the week');
    expect(mail.text).toContain('This meeting begins soon.');
    expect(mail.text).toContain('When: Monday 22 March 2027, 08:00 – 09:00 (UTC)');
    expect(mail.text).toContain('Join: https://meet.example.org/weekly');
    expect(mail.calendar).toBeNull();
    await mailTo(people.manager.email);
    for (const person of [people.member, people.manager]) {
      expect(await noticesOf(person)).toEqual([
        expect.objectContaining({
          kind: 'meetings.meeting.due',
          actor: null,
          subject: { resource: 'meeting', id: event.meetingId, title: event.title },
          startsAt: event.startTime,
        }),
      ]);
      expect(await mailsTo(person.email)).toHaveLength(1);
    }
    expect(await noticesOf(people.other)).toEqual([]);
    expect(await mailsTo(people.other.email)).toEqual([]);
  });
});

describe('a reminder that waited for the mail server', () => {
  it('does not leave any more once the meeting has begun, or was cancelled', async () => {
    const port = await freePort();
    const { service: held, people: theirs } = await startNotifications({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    const server = createMailServer();
    try {
      const { member, manager } = theirs;
      const meeting = (given: Partial<EventOf<typeof meetingDue>['data']> = {}) => ({
        ...aMeeting(theirs),
        personIds: [member._id],
        ...given,
      });
      const begun = meeting({ title: 'Begun', startTime: new Date(Date.now() - 6 * 60_000).toISOString() });
      const cancelled = meeting({ title: 'Cancelled' });
      const coming = meeting({ title: 'Coming' });
      for (const one of [begun, cancelled, coming]) await held.deliver(meetingDue, one);
      await held.deliver(meetingCancelled, { ...cancelled, version: 2 }, 1, manager._id);
      await server.start(port);
      const isSettled = ({ meetingId }: { meetingId: string }, outcome: string) =>
        held.published(mailDelivered, (data) => data.about === meetingId && data.outcome === outcome);
      await Promise.all([
        isSettled(begun, 'failed'),
        isSettled(cancelled, 'failed'),
        isSettled(cancelled, 'sent'),
        isSettled(coming, 'sent'),
      ]);
      const subjects = server.to(member.email).map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1]);
      expect(subjects.sort()).toEqual(['Cancelled: Cancelled', 'Reminder: Coming']);
    } finally {
      await held.close();
      await server.stop();
    }
  });
});
