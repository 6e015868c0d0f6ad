import { documentShared } from '@atrium/proto-events/events/documents';
import { meetingClosed } from '@atrium/proto-events/events/meeting-closing';
import { meetingScheduled, meetingUpdated } from '@atrium/proto-events/events/meetings';
import { taskCreated, taskUpdated } from '@atrium/proto-events/events/projects';
import type { ChannelChoice, NoticeKind } from '@atrium/proto-events/notices/kinds';
import type { ChosenNotices } from '@atrium/proto-events/notices/settings';
import { newId } from '@atrium/service-kit/process/new-id';
import { makeDigestsDue } from '@atrium/test-kit/make-digests-due';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Connection } from 'mongoose';
import { buildMeeting, buildUniqueUser, type TestUsers, toScheduledEvent, toUpdatedEvent } from './factories.ts';
import { emailsTo, waitForEmail } from './mailbox.ts';
import { startWithStore } from './start-with-store.ts';

let service: TestService;
let users: TestUsers;
let store: Connection;

beforeAll(async () => {
  ({ service, users, store } = await startWithStore());
});
afterAll(() => service?.close());

type User = TestUsers[keyof TestUsers];

const choose = (kind: NoticeKind, choice: ChannelChoice): ChosenNotices => ({ channels: { [kind]: choice } });

function createUser(notices: ChosenNotices = {}): User {
  const user = buildUniqueUser({ preferences: { notices }, timezone: 'Europe/Berlin' });
  service.addToDirectory(user);
  return user;
}

async function assign(user: User, title = 'Draw the plan', projectId = newId()): Promise<string> {
  const taskId = newId();
  const fields = { projectId, title, status: 'todo', version: 1, assignedTo: user._id, dueDate: null };
  await service.deliver(taskCreated, { taskId, ...fields }, 2, users.manager._id);
  return taskId;
}

async function share(user: User, name: string): Promise<void> {
  const audience = { everyone: false, userIds: [user._id] };
  const document = { documentId: newId(), name, uploadedBy: users.admin._id, audience, version: 2, project: null };
  await service.deliver(documentShared, { ...document, sharedWith: [user._id] }, 2, users.admin._id);
}

async function list(user: User) {
  const { status, body } = await service.call('GET', '/notifications', { as: user });
  expect(status).toBe(200);
  return body as { data: { subject: { title: string } }[]; total: number; unreadCount: number };
}

const readAll = (user: User) => service.call('POST', '/notifications/read', { as: user, body: { all: true } });

const findNotice = (user: User) => store.collection('notifications').findOne({ personId: user._id });

describe('a level', () => {
  it('of a project applies to its tasks', async () => {
    const [muted, quiet, other] = [newId(), newId(), newId()];
    const user = buildUniqueUser({
      preferences: {
        noticeLevels: [
          { resource: 'project', id: muted, level: 'none' },
          { resource: 'project', id: quiet, level: 'mentions' },
        ],
      },
    });
    service.addToDirectory(user);
    const task = { taskId: newId(), title: 'Draw the plan', status: 'todo', version: 1, assignedTo: user._id };
    const change = { ...task, dueDate: null, progress: 0, changed: ['status'] };
    for (const projectId of [muted, quiet, other]) {
      const title = `In ${[muted, quiet, other].indexOf(projectId)}`;
      await service.deliver(taskCreated, { ...task, taskId: newId(), projectId, title }, 2, users.manager._id);
      await service.deliver(taskUpdated, { ...change, taskId: newId(), projectId, title }, 2, users.manager._id);
    }
    expect((await list(user)).data.map(({ subject }) => subject.title)).toEqual(['In 2', 'In 2', 'In 1']);
  });

  it('of a series applies to its meetings', async () => {
    const series = newId();
    const [muted, other] = ['none', 'all'].map((level) =>
      buildUniqueUser({
        preferences: { noticeLevels: level === 'none' ? [{ resource: 'meeting', id: series, level }] : [] },
      }),
    );
    if (!muted || !other) throw new Error('No users');
    service.addToDirectory(muted, other);
    const { _id: organizerId } = users.manager;
    const data = { meetingId: newId(), seriesId: series, closingId: newId(), title: 'Weekly', timezone: 'UTC' };
    const closing = { ...data, organizerId, closedBy: organizerId, participantIds: [muted._id, other._id], version: 2 };
    const content = { summary: 'All is well', decisions: [], post: false, project: null };
    const startTime = '2026-11-02T10:00:00.000Z';
    await service.deliver(meetingClosed, { ...closing, ...content, startTime }, 2, organizerId);
    expect([(await list(muted)).total, (await list(other)).total]).toEqual([0, 1]);
  });
});

describe('a notification', () => {
  it('is stored with its kind, reason, channels, and what its level is of', async () => {
    const user = createUser();
    const projectId = newId();
    await assign(user, 'Draw the plan', projectId);
    expect((await findNotice(user))?.notice).toEqual({
      kind: 'task_assigned',
      reason: 'assignee',
      channels: { app: true, push: true, email: 'immediate' },
      levelId: projectId,
    });
  });

  it('is only emailed to a user who chose so, even after they have read everything in the app', async () => {
    const user = createUser(choose('task_assigned', { app: false, push: false, email: 'immediate' }));
    const visible = createUser();
    await assign(user);
    expect(await list(user)).toMatchObject({ data: [], total: 0, unreadCount: 0 });
    expect((await readAll(user)).body).toEqual({ updatedCount: 0 });
    await assign(visible);
    expect((await list(visible)).unreadCount).toBe(1);
    expect((await waitForEmail(user.email)).subject).toContain('Draw the plan');
  });
});

const IMMEDIATE: ChannelChoice = { app: true, push: false, email: 'immediate' };

describe('a user who has the app open', () => {
  const visit = async (user: User) => {
    const since = new Date();
    await list(user);
    await waitFor(() => store.collection('visits').countDocuments({ _id: user._id as never, at: { $gte: since } }), {
      description: 'the visit to be recorded',
    });
  };

  it('is not emailed about what the app has shown them', async () => {
    const [present, absent] = [createUser(), createUser()];
    for (const user of [present, absent]) {
      await visit(user);
      await assign(user);
    }
    await visit(present);
    const emails = store.collection('mails');
    const postponed = { recipientId: { $in: [present._id, absent._id] }, nextAttemptAt: { $gt: new Date() } };
    expect((await emails.updateMany(postponed, { $set: { nextAttemptAt: new Date() } })).matchedCount).toBe(2);
    await waitForEmail(absent.email);
    const email = await waitFor(() => emails.findOne({ recipientId: present._id, state: { $ne: 'queued' } }), {
      description: 'the end of the email',
    });
    expect(email).toMatchObject({ state: 'failed', lastError: 'recipient saw the notification in the app' });
    expect(await emailsTo(present.email)).toEqual([]);
  });

  it('is emailed in digests about what they have seen, but not read', async () => {
    const reader = createUser(choose('document_shared', IMMEDIATE));
    const collector = createUser(choose('document_shared', { ...IMMEDIATE, email: 'digest' }));
    for (const user of [reader, collector]) {
      await share(user, 'Plan.pdf');
      await visit(user);
    }
    const ids = [reader, collector].map(({ _id }) => _id);
    await makeDigestsDue(store, ids);
    expect((await waitForEmail(collector.email)).text).toContain('Plan.pdf');
    await waitFor(async () => (await store.collection('digests').countDocuments({ userId: { $in: ids } })) === 0, {
      description: 'the end of the digests',
    });
    expect(await emailsTo(reader.email)).toEqual([]);
  });
});

describe('quiet hours', () => {
  const clock = (offsetMinutes: number) =>
    new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Europe/Berlin' }).format(
      Date.now() + offsetMinutes * 60_000,
    );

  it('postpone emails until they end', async () => {
    const end = clock(60);
    const user = createUser({ quietHours: { start: clock(-60), end } });
    const other = createUser({ quietHours: { start: clock(60), end: clock(120) } });
    await assign(user);
    await assign(other);
    await waitForEmail(other.email);
    expect((await list(user)).unreadCount).toBe(1);
    const email = await store.collection('mails').findOne({ recipientId: user._id });
    const minutes = (Number(email?.nextAttemptAt) - Date.now()) / 60_000;
    expect(email).toMatchObject({ state: 'queued', attempts: 0 });
    expect(minutes).toBeGreaterThan(55);
    expect(minutes).toBeLessThanOrEqual(60);
    expect(await emailsTo(user.email)).toEqual([]);
  });

  it('end with a pause that is longer', async () => {
    const pausedUntil = new Date(Date.now() + 3 * 60 * 60_000).toISOString();
    const user = createUser({ pausedUntil });
    await assign(user);
    const email = await store.collection('mails').findOne({ recipientId: user._id });
    expect(email?.nextAttemptAt).toEqual(new Date(pausedUntil));
  });
});

describe('a postponed invitation', () => {
  const postponed = (user: User) => store.collection('mails').findOne({ recipientId: user._id });
  const makeDue = (user: User) =>
    store.collection('mails').updateOne({ recipientId: user._id }, { $set: { nextAttemptAt: new Date() } });

  it('is not sent to a participant who was removed, even if they turned off cancellations', async () => {
    const pausedUntil = new Date(Date.now() + 60 * 60_000).toISOString();
    const off = choose('meeting_cancellation', { app: false, push: false, email: 'off' });
    const [user, other] = [createUser({ ...off, pausedUntil }), createUser({ ...off, pausedUntil })];
    const meeting = buildMeeting(users, { participantIds: [user._id, other._id] });
    await service.deliver(meetingScheduled, toScheduledEvent(meeting), 2, users.manager._id);
    const change = { participantIds: [other._id], removedIds: [user._id], addedIds: [], changed: ['participants'] };
    const after = { ...meeting, sequence: 1, version: 2, rsvpReset: false, ...change };
    await service.deliver(meetingUpdated, toUpdatedEvent(meeting, after), 2, users.manager._id);
    for (const paused of [user, other])
      service.addToDirectory({ ...paused, preferences: { notices: off }, version: paused.version + 1 });
    await makeDue(user);
    await makeDue(other);
    await waitForEmail(other.email);
    await waitFor(async () => (await postponed(user))?.state === 'failed', {
      description: 'the end of the invitation',
    });
    expect(await emailsTo(user.email)).toEqual([]);
  });
});

describe('a digest', () => {
  const digestOf = (kind: NoticeKind) => choose(kind, { app: true, push: false, email: 'digest' });
  async function makeDue(user: User): Promise<void> {
    expect(await countDigests(user)).toBe(1);
    await makeDigestsDue(store, [user._id]);
  }
  const countDigests = (user: User) => store.collection('digests').countDocuments({ userId: user._id });

  it('contains what is unread when it is due, in one email', async () => {
    const user = createUser({ ...digestOf('document_shared'), digestTimes: ['00:00', '23:59'] });
    await share(user, 'Plan.pdf');
    await readAll(user);
    await share(user, 'Budget.xlsx');
    await share(user, 'תקציב.docx');
    expect(await countDigests(user)).toBe(1);
    await makeDue(user);
    const { subject, text, html } = await waitForEmail(user.email);
    expect(subject).toBe('You have 2 notifications');
    for (const name of ['Budget.xlsx', 'תקציב.docx']) expect(text).toContain(name);
    expect(text).not.toContain('Plan.pdf');
    expect(text).toMatch(
      /Ada Admin.* shared .*Budget\.xlsx.* with you\nhttps:\/\/atrium\.example\.org\/documents\?preview=[0-9a-f]{24}/,
    );
    expect(html).toContain('Account Settings');
    await waitFor(async () => (await countDigests(user)) === 0, { description: 'the end of the digest' });
    expect(await emailsTo(user.email)).toHaveLength(1);
  });

  it('is not sent if everything has been read', async () => {
    const user = createUser(digestOf('document_shared'));
    await share(user, 'Plan.pdf');
    await readAll(user);
    await makeDue(user);
    await waitFor(async () => (await countDigests(user)) === 0, { description: 'the end of the digest' });
    expect(await store.collection('mails').countDocuments({ recipientId: user._id })).toBe(0);
  });

  it('is due within a minute for kinds that have no emails of their own', async () => {
    const user = createUser(choose('document_shared', { app: true, push: false, email: 'immediate' }));
    await share(user, 'Plan.pdf');
    const digest = await store.collection('digests').findOne({ userId: user._id });
    const delayMs = Number(digest?.at) - Date.now();
    expect(delayMs).toBeLessThanOrEqual(60_000);
    await makeDue(user);
    expect((await waitForEmail(user.email)).text).toContain('Plan.pdf');
  });

  it('links to tasks, and replaces their emails', async () => {
    const user = createUser(digestOf('task_assigned'));
    const task = await assign(user);
    expect(await store.collection('mails').countDocuments({ recipientId: user._id })).toBe(0);
    await makeDue(user);
    const { subject, text } = await waitForEmail(user.email);
    expect(subject).toBe('You have a notification');
    expect(text).toContain(`?task=${task}`);
  });
});
