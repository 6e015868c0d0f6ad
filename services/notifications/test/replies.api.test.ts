import { meetingScheduled } from '@atrium/proto-events/events/meetings';
import { meetingReplied } from '@atrium/proto-events/events/notifications';
import { type MailServer, startMailServer } from '@atrium/test-kit/mail-devel';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import { createTransport } from 'nodemailer';
import { buildMeeting, scheduledEvent, startNotifications } from './factories.ts';
import { waitForEmail } from './mailbox.ts';

let server: MailServer | undefined;
let pods: Awaited<ReturnType<typeof startNotifications>>[] = [];
beforeAll(async () => {
  server = await startMailServer();
  if (!server) return;
  const replies = {
    REPLIES_ADDRESS: 'calendar@example.org',
    REPLIES_IMAP_URL: server.imapUrl,
    REPLIES_POLL_INTERVAL_SECONDS: '0.3',
  };
  const first = await startNotifications(replies);
  const { NATS_PREFIX = '', MONGO_URL = '' } = first.service.env;
  const second = await startNotifications({ ...replies, NATS_PREFIX, MONGO_URL });
  second.service.addToDirectory(...Object.values(first.people));
  pods = [first, second];
}, 240_000);
afterAll(async () => {
  for (const { service } of pods) await service.close();
  await server?.close();
});

const organizerIn = (calendar: string) =>
  String(
    new ICAL.Component(ICAL.parse(calendar)).getFirstSubcomponent('vevent')?.getFirstPropertyValue('organizer'),
  ).replace('mailto:', '');

it('reads RSVP replies once on two pods, and accepts only those to the recipient’s own reply address', async () => {
  const [on] = pods;
  // The environment has no mail server.
  if (!server || !on) return;
  const { service, people } = on;
  const meeting = buildMeeting(people, { participantIds: [people.manager._id, people.member._id, people.other._id] });
  await service.deliver(meetingScheduled, scheduledEvent(meeting), 1, people.manager._id);
  const [mine, others] = await Promise.all(
    [people.member, people.other].map(async ({ email }) =>
      organizerIn((await waitForEmail(email)).calendar?.content ?? ''),
    ),
  );
  expect(mine).toMatch(/^calendar\+[a-z2-7]{36}@example\.org$/);
  expect(others).not.toBe(mine);

  const transport = createTransport(server.smtpUrl);
  const answer = (
    to: string | undefined,
    { as = people.member.email, status = 'DECLINED', uid = meeting.meetingId, sequence = '0' } = {},
  ) =>
    transport.sendMail({
      // Anyone may write this in an email.
      from: people.member.email,
      to: to ?? '',
      subject: `Answered: ${meeting.title}`,
      text: 'See the calendar.',
      icalEvent: {
        method: 'REPLY',
        content: [
          ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//A program//EN', 'METHOD:REPLY', 'BEGIN:VEVENT'],
          ...[`UID:${uid}@atrium`, 'DTSTAMP:20261120T093000Z', `SEQUENCE:${sequence}`, 'DTSTART:20270322T080000Z'],
          ...[`ATTENDEE;PARTSTAT=${status}:mailto:${as}`, 'END:VEVENT', 'END:VCALENDAR', ''],
        ].join('\r\n'),
      },
    });
  // Without a code, with another user's code, with a forged one, as another user, and about another meeting.
  await answer('calendar@example.org');
  await answer(others);
  await answer(`calendar+${'a'.repeat(36)}@example.org`);
  await answer(mine, { as: people.other.email });
  await answer(mine, { uid: 'f'.repeat(24) });
  await transport.sendMail({ from: people.member.email, to: mine ?? '', subject: 'Hello', text: 'No calendar.' });
  await answer(mine, { status: 'ACCEPTED' });

  const { data } = await service.published(meetingReplied);
  expect(data).toEqual({
    ...{ calendarId: meeting.meetingId, recurrenceId: null, userId: people.member._id, status: 'accepted' },
    ...{ sequence: 0, startTime: '2027-03-22T08:00:00.000Z', stamp: '2026-11-20T09:30:00.000Z' },
  });
  // A duplicate, processed by both pods after everything before: same content, same event id.
  await answer(mine, { status: 'ACCEPTED' });
  // An out-of-range sequence number does not block later emails.
  await answer(mine, { status: 'ACCEPTED', sequence: '9'.repeat(20) });
  await answer(mine, { status: 'TENTATIVE' });
  transport.close();
  await waitFor(() => service.countPublished(meetingReplied, ({ status }) => status === 'tentative') > 0, {
    what: 'the last response',
  });
  expect(service.countPublished(meetingReplied, ({ status }) => status === 'declined')).toBe(0);
});
