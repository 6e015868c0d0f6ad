import { messageRejected, recipientsFound } from '@atrium/proto-events/events/chat';
import { meetingScheduled } from '@atrium/proto-events/events/meetings';
import { meetingReplied, messageReplied, taskReplied } from '@atrium/proto-events/events/notifications';
import { commentRejected, projectCreated, taskCommented, taskDue } from '@atrium/proto-events/events/projects';
import type { NoticeKind } from '@atrium/proto-events/notices/kinds';
import { newId } from '@atrium/service-kit/process/new-id';
import { type MailServer, startMailServer } from '@atrium/test-kit/mail-devel';
import { makeDigestsDue } from '@atrium/test-kit/make-digests-due';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import { createConnection } from 'mongoose';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { buildMeeting, buildProject, buildUniqueUser, startNotifications, toScheduledEvent } from './factories.ts';
import { emailsTo, parseEmail, type ReceivedMail, waitForEmail } from './mailbox.ts';

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
  expect(memberAddress).toMatch(/^calendar\+[a-z2-7]{46}@example\.org$/);
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
  await sendReply(`calendar+${'a'.repeat(46)}@example.org`);
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
  // The email without an RSVP is answered.
  const findProblems = async () =>
    (await emailsTo(users.member.email)).filter(({ subject }) => subject === 'Your reply was not posted');
  await waitFor(async () => (await findProblems()).length > 0, { description: 'the answer' });
  const problems = await findProblems();
  expect(problems.map(({ text }) => text.includes('only reads responses to the invitation'))).toEqual([true]);
  expect(service.countPublished(meetingReplied, ({ status }) => status === 'declined')).toBe(0);
});

type Pod = (typeof pods)[number];
type User = Pod['users']['member'];

const readReplyTo = async (email: ReceivedMail) => (await parseEmail(email)).parsed.replyTo?.[0]?.address ?? '';

/** Sends an email whose sender is not its user. */
async function sendEmail(smtpUrl: string, to: string, options: SendMailOptions): Promise<void> {
  const transport = createTransport(smtpUrl);
  await transport.sendMail({ from: 'stranger@example.com', to, subject: 'Re: Draw the plan', ...options });
  transport.close();
}

async function createTask({ service, users }: Pod) {
  const user = buildUniqueUser({ firstName: 'Mia' });
  const outsider = buildUniqueUser({ firstName: 'Otto' });
  for (const pod of pods) pod.service.addToDirectory(user, outsider);
  const project = buildProject(users, { memberIds: [], createdBy: users.manager._id });
  await service.deliver(projectCreated, { ...project, memberIds: [user._id] }, 1, user._id);
  const task = {
    taskId: newId(),
    projectId: project.projectId,
    title: 'Draw the plan',
    status: 'todo',
    version: 1,
    assignedTo: user._id,
    dueDate: null,
  };
  const comment = (mentionedIds: string[] = []) =>
    service.deliver(
      taskCommented,
      {
        ...task,
        commentId: newId(),
        createdBy: user._id,
        commenterIds: [],
        mentionedIds,
        excerpt: 'What do you think?',
      },
      1,
      users.manager._id,
    );
  return { user, outsider, comment, ...task };
}

/** Adds a user who chose to be emailed about a kind of notification. */
function addEmailedUser(kind: NoticeKind, email: 'immediate' | 'digest' = 'immediate'): User {
  const channels = { [kind]: { app: true, push: false, email } };
  const user = buildUniqueUser({ preferences: { notices: { channels } } });
  for (const { service } of pods) service.addToDirectory(user);
  return user;
}

async function sendDigest({ env }: Pod['service'], user: User): Promise<void> {
  const store = await createConnection(env.MONGO_URL ?? '').asPromise();
  await makeDigestsDue(store, [user._id]);
  await store.close();
}

/** Notifies a user of a message, and lets the email about it be due now. */
async function notifyOfMessage(
  { service, users }: Pod,
  user: User,
  { kind, title, rootId }: { kind: NoticeKind; title: string | null; rootId?: string },
) {
  const [conversationId, messageId] = [newId(), newId()];
  await service.deliver(
    recipientsFound,
    {
      ...{ conversationId, title, messageId, seq: 1, cause: messageId, sentAt: new Date().toISOString() },
      ...(rootId !== undefined && { rootId }),
      recipients: [{ userId: user._id, kind, reason: 'conversation', level: 'all' }],
    },
    1,
    users.manager._id,
  );
  await sendDigest(service, user);
  return { conversationId, messageId };
}

describe('a reply to an email about a task', () => {
  it('is published once by two pods, without quote, and only for the code of this user and task', async () => {
    const [pod] = pods;
    if (!server || !pod) return;
    const { user, outsider, taskId, comment } = await createTask(pod);
    await comment([outsider._id]);
    const email = await waitForEmail(user.email);
    const address = await readReplyTo(email);
    expect(address).toMatch(/^calendar\+[a-z2-7]{46}@example\.org$/);
    expect(email.text).toContain('Reply to this email to comment on the task.');
    expect(email.html).toContain('Reply to this email to comment on the task.');
    // Someone who is not in the project can be mentioned, but cannot comment.
    const other = await waitForEmail(outsider.email);
    expect([await readReplyTo(other), other.text.includes('Reply to this email')]).toEqual(['', false]);

    const { smtpUrl } = server;
    const altered = address.replace(/(\+.{10})(.)/, (_, start: string, letter) => start + (letter === 'q' ? 'z' : 'q'));
    await sendEmail(smtpUrl, altered, { text: 'With an altered code' });
    await sendEmail(smtpUrl, address, { text: 'I am away', headers: { 'Auto-Submitted': 'auto-replied' } });
    const text = `Rất tốt.\n\nOn Mon, Nov 30, 2026 at 10:34 AM Northwind <no-reply@atrium.example.org> wrote:\n\n> What do you think?`;
    for (let copy = 0; copy < 2; copy += 1)
      await sendEmail(smtpUrl, address, { text, messageId: `<${taskId}@example.com>` });
    await sendEmail(smtpUrl, address, { html: '<p>נראה טוב</p><blockquote>old</blockquote>' });
    const isOfTask = (data: { taskId: string }) => data.taskId === taskId;
    const { actorId } = await pod.service.waitForEvent(
      taskReplied,
      (data) => isOfTask(data) && data.text === 'נראה טוב',
    );
    expect(actorId).toBe(user._id);
    // Both pods may publish each of the copies, with the same id.
    const published = new Map(pod.service.listPublished(taskReplied, isOfTask).map(({ id, data }) => [id, data]));
    expect([...published.values()].map(({ text, userId }) => [text, userId])).toEqual([
      ['Rất tốt.', user._id],
      ['נראה טוב', user._id],
    ]);
  });

  it('without text, or with files, is answered to the address of the user only', async () => {
    const [pod] = pods;
    if (!server || !pod) return;
    const { user, taskId, comment } = await createTask(pod);
    await comment();
    const address = await readReplyTo(await waitForEmail(user.email));
    await sendEmail(server.smtpUrl, address, { text: '> only a quote' });
    const problem = await waitForEmail(user.email, 2);
    expect(problem).toMatchObject({ subject: 'Your reply was not posted' });
    expect(problem.text).toContain('You replied to an email about Draw the plan.');
    expect(problem.text).toContain('No text was found above the quoted email.');
    expect(problem.text).toContain(`?task=${taskId}`);
    expect(await readReplyTo(problem)).toBe('');
    await sendEmail(server.smtpUrl, address, {
      text: 'See the file.',
      attachments: [{ filename: 'plan.txt', content: 'x'.repeat(700_000) }],
    });
    await pod.service.waitForEvent(taskReplied, (data) => data.taskId === taskId && data.text === 'See the file.');
    expect((await waitForEmail(user.email, 3)).subject).toBe('The files of your reply were not posted');
    expect(await emailsTo('stranger@example.com')).toEqual([]);
  });

  it('that was rejected is reported once to its user, and not to a deactivated one', async () => {
    const [pod] = pods;
    if (!server || !pod) return;
    const { user, taskId, comment } = await createTask(pod);
    await comment();
    await waitForEmail(user.email);
    const inactive = buildUniqueUser({ status: 'inactive' });
    for (const { service } of pods) service.addToDirectory(inactive);
    const reason = 'Only project members can comment on its tasks';
    await pod.service.deliver(commentRejected, { taskId, userId: inactive._id, reason }, 2);
    await pod.service.deliver(commentRejected, { taskId, userId: user._id, reason }, 2);
    const problem = await waitForEmail(user.email, 2);
    expect(problem.text).toContain(`${reason}.`);
    const unknown = { placeId: newId(), userId: user._id, reason: 'This channel is archived' };
    await pod.service.deliver(messageRejected, unknown, 2);
    const second = await waitForEmail(user.email, 3);
    expect(second.text).toContain('You replied to an email.\n\nThis channel is archived.');
    expect([await emailsTo(inactive.email), (await emailsTo(user.email)).length]).toEqual([[], 3]);
  });

  it.each(['immediate', 'digest'] as const)(
    'that is due is a comment, if the email (%s) is about one task and the user is still in its project',
    async (email) => {
      const [pod] = pods;
      if (!server || !pod) return;
      const { service, users } = pod;
      const addUser = () => addEmailedUser('task_due', email);
      const [member, busyMember, outsider] = [addUser(), addUser(), addUser()];
      const project = buildProject(users, { memberIds: [], createdBy: users.manager._id });
      await service.deliver(projectCreated, { ...project, memberIds: [member._id, busyMember._id] }, 1, member._id);
      const createTaskDue = async (user: User) => {
        const { projectId } = project;
        const dueDate = new Date(Date.now() + 86_400_000).toISOString();
        const task = {
          taskId: newId(),
          projectId,
          title: 'Draw the plan',
          status: 'todo',
          dueDate,
          assignedTo: user._id,
        };
        await service.deliver(taskDue, { ...task, version: 1 }, 1, null);
        return task.taskId;
      };
      const taskId = await createTaskDue(member);
      await createTaskDue(outsider);
      for (const user of [member, outsider]) await sendDigest(service, user);
      const other = await waitForEmail(outsider.email);
      expect(await readReplyTo(other)).toBe('');
      expect(other.text).toContain('Replies to this email are not read.');
      await sendEmail(server.smtpUrl, await readReplyTo(await waitForEmail(member.email)), { text: 'Tomorrow' });
      const { data } = await service.waitForEvent(taskReplied, ({ userId }) => userId === member._id);
      expect(data).toEqual({ taskId, userId: member._id, text: 'Tomorrow' });
      // A digest of several tasks cannot be answered.
      for (let count = 0; count < 5; count += 1) await createTaskDue(busyMember);
      await sendDigest(service, busyMember);
      const findDigest = async () =>
        (await emailsTo(busyMember.email)).find(({ subject }) => /^You have \d notifications$/.test(subject));
      const digest = await waitFor(findDigest, { description: 'the digest' });
      expect(await readReplyTo(digest)).toBe('');
      expect(digest.text).toContain('Replies to this email are not read.');
    },
  );
});

describe('a reply to an email about a message', () => {
  it('belongs to the direct conversation, the thread, or the thread that it starts in a channel', async () => {
    const [pod] = pods;
    if (!server || !pod) return;
    const rootId = newId();
    const cases = [
      { kind: 'direct_message', title: null },
      { kind: 'mention', title: null },
      { kind: 'thread_reply', title: 'design', rootId },
      { kind: 'mention', title: 'design', rootId },
      { kind: 'mention', title: 'design' },
      { kind: 'channel_message', title: 'design' },
    ] as const;
    for (const message of cases) {
      const user = addEmailedUser(message.kind);
      const { conversationId, messageId } = await notifyOfMessage(pod, user, message);
      const email = await waitForEmail(user.email);
      const expected =
        message.title === null
          ? { place: 'conversation', placeId: conversationId }
          : { place: 'thread', placeId: 'rootId' in message ? message.rootId : messageId };
      expect(email.text).toContain(`Reply to this email to answer in the ${expected.place}.`);
      await sendEmail(server.smtpUrl, await readReplyTo(email), { text: 'By email' });
      const { data } = await pod.service.waitForEvent(messageReplied, ({ userId }) => userId === user._id);
      expect(data).toEqual({ ...expected, userId: user._id, text: 'By email' });
    }
  });

  it('is not possible to a reaction', async () => {
    const [pod] = pods;
    if (!server || !pod) return;
    const user = addEmailedUser('reaction');
    await notifyOfMessage(pod, user, { kind: 'reaction', title: 'design' });
    expect(await readReplyTo(await waitForEmail(user.email))).toBe('');
  });
});

it('emails name no reply address if replies are not read', async () => {
  const pod = await startNotifications();
  try {
    const { service, users } = pod;
    const task = { taskId: newId(), projectId: newId(), title: 'Plan', status: 'todo', version: 1, dueDate: null };
    const data = { ...task, assignedTo: users.manager._id, commentId: newId(), createdBy: users.admin._id };
    await service.deliver(taskCommented, { ...data, commenterIds: [] }, 1, users.member._id);
    const email = await waitForEmail(users.manager.email);
    expect([await readReplyTo(email), email.text.includes('Reply to this email')]).toEqual(['', false]);
  } finally {
    await pod.service.close();
  }
});
