import { meetingScheduled } from '@atrium/proto-events/events/meetings';
import { meetingReplied } from '@atrium/proto-events/events/notifications';
import { type MailServer, startMailServer } from '@atrium/test-kit/mail-devel';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import { createTransport } from 'nodemailer';
import { buildMeeting, startNotifications, toScheduledEvent } from './factories.ts';
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
  const firstPod = await startNotifications(replies);
  const { NATS_PREFIX = '', MONGO_URL = '' } = firstPod.service.env;
  const secondPod = await startNotifications({ ...replies, NATS_PREFIX, MONGO_URL });
  secondPod.service.addToDirectory(...Object.values(firstPod.users));
  pods = [firstPod, secondPod];
});
afterAll(async () => {
  for (const { service } of pods) await service.close();
  await server?.close();
});

const parseOrganizer = (calendar: string) =>
  String(
    new ICAL.Component(ICAL.parse(calendar)).getFirstSubcomponent('vevent')?.getFirstPropertyValue('organizer'),
  ).replace('mailto:', '');

it('RSVP replies are read once by two pods, and accepted only if sent to the reply address of their attendee', async () => {
  const [firstPod] = pods;
  // Skipped if the environment has no mail server.
  if (!server || !firstPod) return;
  const { service, users } = firstPod;
  const meeting = buildMeeting(users, { participantIds: [users.manager._id, users.member._id, users.other._id] });
  await service.deliver(meetingScheduled, toScheduledEvent(meeting), 1, users.manager._id);
  const [memberAddress, otherAddress] = await Promise.all(
    [users.member, users.other].map(async ({ email }) =>
      parseOrganizer((await waitForEmail(email)).calendar?.content ?? ''),
    ),
  );
  expect(memberAddress).toMatch(/^calendar\+[a-z2-7]{36}@example\.org$/);
  expect(otherAddress).not.toBe(memberAddress);

  const transport = createTransport(server.smtpUrl);
  const sendReply = (
    to: string | undefined,
    { attendee = users.member.email, status = 'DECLINED', uid = meeting.meetingId, sequence = '0' } = {},
  ) =>
    transport.sendMail({
      // Anyone can send an email with this sender.
      from: users.member.email,
      to: to ?? '',
      subject: `Answered: ${meeting.title}`,
      text: 'See the calendar.',
      icalEvent: {
        method: 'REPLY',
        content: [
          'BEGIN:VCALENDAR',
          'VERSION:2.0',
          'PRODID:-//A program//EN',
          'METHOD:REPLY',
          'BEGIN:VEVENT',
          `UID:${uid}@atrium`,
          'DTSTAMP:20261120T093000Z',
          `SEQUENCE:${sequence}`,
          'DTSTART:20830322T080000Z',
          `ATTENDEE;PARTSTAT=${status}:mailto:${attendee}`,
          'END:VEVENT',
          'END:VCALENDAR',
          '',
        ].join('\r\n'),
      },
    });
  // Replies without a code, with another user's code, with a forged code, as another user, and about a different
  // meeting.
  await sendReply('calendar@example.org');
  await sendReply(otherAddress);
  await sendReply(`calendar+${'a'.repeat(36)}@example.org`);
  await sendReply(memberAddress, { attendee: users.other.email });
  await sendReply(memberAddress, { uid: 'f'.repeat(24) });
  await transport.sendMail({
    from: users.member.email,
    to: memberAddress ?? '',
    subject: 'Hello',
    text: 'No calendar.',
  });
  await sendReply(memberAddress, { status: 'ACCEPTED' });

  const { data } = await service.waitForEvent(meetingReplied);
  expect(data).toEqual({
    calendarId: meeting.meetingId,
    recurrenceId: null,
    userId: users.member._id,
    status: 'accepted',
    sequence: 0,
    startTime: '2083-03-22T08:00:00.000Z',
    stamp: '2026-11-20T09:30:00.000Z',
  });
  // A duplicate, which both pods may process, has the same content and therefore the same event id.
  await sendReply(memberAddress, { status: 'ACCEPTED' });
  // An out-of-range sequence number does not block later emails.
  await sendReply(memberAddress, { status: 'ACCEPTED', sequence: '9'.repeat(20) });
  await sendReply(memberAddress, { status: 'TENTATIVE' });
  transport.close();
  await waitFor(() => service.countPublished(meetingReplied, ({ status }) => status === 'tentative') > 0, {
    description: 'the last response',
  });
  expect(service.countPublished(meetingReplied, ({ status }) => status === 'declined')).toBe(0);
});
