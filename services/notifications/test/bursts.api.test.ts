import { documentShared } from '@atrium/proto-events/events/documents';
import {
  meetingCancelled,
  meetingResponded,
  meetingScheduled,
  meetingUpdated,
} from '@atrium/proto-events/events/meetings';
import { emailDelivered } from '@atrium/proto-events/events/notifications';
import { projectCreated, projectUpdated, taskUpdated } from '@atrium/proto-events/events/projects';
import { newId } from '@atrium/service-kit/process/new-id';
import { freePort } from '@atrium/test-kit/free-port';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Connection } from 'mongoose';
import PostalMime from 'postal-mime';
import {
  buildMeeting,
  buildProject,
  buildUniqueUser,
  toCancelledEvent,
  toScheduledEvent,
  toUpdatedEvent,
} from './factories.ts';
import { createMailServer } from './mail-server.ts';
import { startWithStore } from './start-with-store.ts';

let service: TestService;
let store: Connection;
let port: number;
let server: ReturnType<typeof createMailServer> | undefined;

beforeAll(async () => {
  port = await freePort();
  ({ service, store } = await startWithStore({ SMTP_URL: `smtp://127.0.0.1:${port}` }));
});
afterAll(async () => {
  await server?.stop();
  await service?.close();
});

async function whileMailServerIsDown(action: () => Promise<void>) {
  await server?.stop();
  server = undefined;
  await action();
  await startServer();
}

async function startServer() {
  if (server) return;
  server = createMailServer();
  await server.start(port);
}

function createParticipants() {
  const users = {
    admin: buildUniqueUser({ role: 'admin' }),
    manager: buildUniqueUser({ role: 'project_manager', firstName: 'Paul', lastName: 'Manager' }),
    member: buildUniqueUser({ firstName: 'Mia', lastName: 'Member' }),
    other: buildUniqueUser({ firstName: 'Otto', lastName: 'Other' }),
  };
  service.addToDirectory(...Object.values(users));
  return users;
}

type TestUser = ReturnType<typeof buildUniqueUser>;
type Meeting = ReturnType<typeof buildMeeting>;

function createMeetingUpdater(users: ReturnType<typeof createParticipants>) {
  const { manager, member } = users;
  const meeting = buildMeeting(users, { participantIds: [member._id] });
  let current = meeting;
  const update = (
    change: Partial<Meeting> & { rsvpReset?: boolean; removedIds?: string[]; addedIds?: string[]; changed: string[] },
  ) => {
    const { removedIds = [], addedIds = [], rsvpReset = false, changed, ...fields } = change;
    const before = current;
    current = { ...before, ...fields, sequence: before.sequence + 1, version: before.version + 1 };
    const eventData = { ...current, removedIds, addedIds, rsvpReset, changed };
    return service.deliver(meetingUpdated, toUpdatedEvent(before, eventData), 1, manager._id);
  };
  return {
    meeting,
    update,
    schedule: () => service.deliver(meetingScheduled, toScheduledEvent(meeting), 1, manager._id),
    rename: (title: string) => update({ title, changed: ['title'] }),
    remove: () => update({ participantIds: [], removedIds: [member._id], changed: ['participants'] }),
    invite: () => update({ participantIds: [member._id], addedIds: [member._id], changed: ['participants'] }),
    getSequence: () => current.sequence,
  };
}

const findQueued = (user: TestUser) => store.collection('mails').find({ recipientId: user._id, state: 'queued' });
const waitUntilSent = (user: TestUser) =>
  waitFor(async () => (await findQueued(user).toArray()).length === 0, { description: 'all emails to be sent' });

/** Subject, calendar method, and sequence of each received email. */
async function listReceived(user: TestUser) {
  const mails = (server?.to(user.email) ?? []).map(({ source }) => PostalMime.parse(source));
  return (await Promise.all(mails)).map(({ subject, attachments }) => {
    const [calendar] = attachments.map(({ content }) =>
      typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString('utf8'),
    );
    return {
      subject,
      method: /^METHOD:(\w+)/m.exec(calendar ?? '')?.[1],
      sequence: Number(/^SEQUENCE:(\d+)/m.exec(calendar ?? '')?.[1]),
    };
  });
}

type Notification = {
  kind: string;
  actor: { _id: string };
  subject: { id: string; title: string };
  readAt: string | null;
};
const listNotifications = async (user: TestUser) => {
  const { body } = await service.call('GET', '/notifications', { as: user });
  return (body as { data: Notification[] }).data;
};

describe('rapid changes of a meeting', () => {
  it('before the first email are merged into one with the final state, and an invitation stays an invitation', async () => {
    const users = createParticipants();
    const meetingUpdater = createMeetingUpdater(users);
    await whileMailServerIsDown(async () => {
      await meetingUpdater.schedule();
      for (let n = 1; n <= 8; n += 1) await meetingUpdater.rename(`Title ${n}`);
    });
    await waitUntilSent(users.member);
    expect(await listReceived(users.member)).toEqual([
      { subject: 'Invitation: Title 8', method: 'REQUEST', sequence: 8 },
    ]);
  });

  it.each(['removed', 'invited'] as const)(
    'end with the calendar state of a participant who was %s last',
    async (last) => {
      const users = createParticipants();
      const { schedule, invite, remove, getSequence } = createMeetingUpdater(users);
      await whileMailServerIsDown(async () => {
        await schedule();
        for (let n = 0; n < 5; n += 1) {
          await remove();
          if (n < 4 || last === 'invited') await invite();
        }
      });
      await waitUntilSent(users.member);
      const [subject, method] =
        last === 'removed' ? ['Cancelled: Weekly planning', 'CANCEL'] : ['Invitation: Weekly planning', 'REQUEST'];
      expect(await listReceived(users.member)).toEqual([{ subject, method, sequence: getSequence() }]);
    },
  );

  it('are emailed immediately at first, and then together after a delay that later changes do not extend', async () => {
    const users = createParticipants();
    const { schedule, rename, update } = createMeetingUpdater(users);
    await startServer();
    await schedule();
    await waitUntilSent(users.member);
    const [firstEmail] = await store.collection('mails').find({ recipientId: users.member._id }).toArray();
    await rename('Title 1');
    const [secondEmail] = await store
      .collection('mails')
      .find({ recipientId: users.member._id, mailingId: { $ne: firstEmail?.mailingId } })
      .toArray();
    expect(secondEmail?.nextAttemptAt.getTime()).toBeGreaterThanOrEqual(firstEmail?.settledAt.getTime() + 2_000);
    await waitUntilSent(users.member);

    await update({ title: 'Title 2', startTime: '2083-03-22T08:30:00.000Z', rsvpReset: true, changed: ['startTime'] });
    const inOneHour = new Date(Date.now() + 60 * 60_000);
    const postponeTo = (nextAttemptAt: Date) =>
      store
        .collection('mails')
        .updateMany({ recipientId: users.member._id, state: 'queued' }, { $set: { nextAttemptAt } });
    await postponeTo(inOneHour);
    for (const title of ['Title 3', 'Title 4']) await rename(title);
    const waitingEmails = await findQueued(users.member).toArray();
    expect(waitingEmails.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([inOneHour, inOneHour, inOneHour]);
    await postponeTo(new Date());
    await waitUntilSent(users.member);
    expect((await listReceived(users.member)).map(({ subject, sequence }) => [subject, sequence])).toEqual([
      ['Invitation: Weekly planning', 0],
      ['Updated: Title 1', 1],
      ['Updated: Title 4', 4],
    ]);
    // The last email also includes the new time.
    expect(server?.to(users.member.email).at(-1)?.source).toContain('This meeting has a new time.');
  });

  it('do not delay a cancellation, which replaces queued emails', async () => {
    const users = createParticipants();
    const { meeting, schedule, rename } = createMeetingUpdater(users);
    await startServer();
    await schedule();
    await waitUntilSent(users.member);
    await rename('Title 1');
    const inOneHour = new Date(Date.now() + 60 * 60_000);
    const [updateEmail] = await findQueued(users.member).toArray();
    if (!updateEmail) throw new Error('No email is queued');
    // Found by id, because the cancellation stays queued until its delivery is recorded.
    const postponeTo = (nextAttemptAt: Date) =>
      store.collection('mails').updateOne({ _id: updateEmail._id }, { $set: { nextAttemptAt } });
    await postponeTo(inOneHour);
    const canceledMeeting = { ...meeting, sequence: 2, version: 3 };
    await service.deliver(meetingCancelled, toCancelledEvent(canceledMeeting), 2, users.manager._id);
    await waitFor(async () => (await listReceived(users.member)).length === 2, { description: 'the cancellation' });
    await postponeTo(new Date());
    await waitUntilSent(users.member);
    expect((await listReceived(users.member)).map(({ method, sequence }) => [method, sequence])).toEqual([
      ['REQUEST', 0],
      ['CANCEL', 2],
    ]);
  });
});

describe('rapid changes of other items', () => {
  it('are merged into one email for project membership and task assignment', async () => {
    const users = createParticipants();
    const { manager, member, other } = users;
    const project = buildProject(users, { managerId: manager._id, memberIds: [], createdBy: manager._id });
    const { createdBy: _, ...projectFields } = project;
    const task = {
      taskId: newId(),
      projectId: project.projectId,
      title: 'Draw the plan',
      status: 'todo',
      version: 1,
      dueDate: null,
      progress: 0,
      changed: ['assignedTo'],
    };
    const assign = (assignedTo: string | null) => service.deliver(taskUpdated, { ...task, assignedTo }, 1, manager._id);
    await service.deliver(projectCreated, project, 1, manager._id);
    await whileMailServerIsDown(async () => {
      for (let version = 2; version <= 10; version += 1) {
        const memberIds = version % 2 === 0 ? [member._id] : [];
        const change = { ...projectFields, progress: 0, changed: ['teamMembers'], memberIds, version };
        await service.deliver(projectUpdated, change, 1, manager._id);
      }
      for (let n = 0; n < 4; n += 1) {
        await assign(other._id);
        await assign(null);
      }
      await assign(other._id);
    });
    await waitFor(() => service.countPublished(emailDelivered, ({ about }) => about === task.taskId) === 5, {
      description: 'the outcome of each email',
    });
    await Promise.all([waitUntilSent(member), waitUntilSent(other)]);
    expect((await listReceived(member)).map(({ subject }) => subject)).toEqual(['You were added to Customer portal']);
    expect((await listReceived(other)).map(({ subject }) => subject)).toEqual(['Draw the plan']);
    expect(await listNotifications(member)).toMatchObject([{ kind: 'projects.member.added' }]);
  });
});

describe('notifications of one kind about one item', () => {
  it('are merged while unread, with the latest title, and separate after they are read', async () => {
    const users = createParticipants();
    const { schedule, rename } = createMeetingUpdater(users);
    await schedule();
    for (let n = 1; n <= 8; n += 1) await rename(`Title ${n}`);
    const listKindsAndTitles = async () =>
      (await listNotifications(users.member)).map(({ kind, subject }) => [kind, subject.title]);
    const invitation = ['meetings.meeting.scheduled', 'Weekly planning'];
    expect(await listKindsAndTitles()).toEqual([['meetings.meeting.updated', 'Title 8'], invitation]);
    const before = '2099-01-01T00:00:00.000Z';
    await service.call('POST', '/notifications/read', { as: users.member, body: { before } });
    await rename('Title 9');
    expect(await listKindsAndTitles()).toEqual([
      ['meetings.meeting.updated', 'Title 9'],
      ['meetings.meeting.updated', 'Title 8'],
      invitation,
    ]);
  });

  it('are merged per kind when a user is repeatedly invited and removed', async () => {
    const users = createParticipants();
    const { schedule, invite, remove } = createMeetingUpdater(users);
    await schedule();
    for (let n = 0; n < 5; n += 1) {
      await remove();
      await invite();
    }
    expect((await listNotifications(users.member)).map(({ kind }) => kind)).toEqual([
      'meetings.meeting.scheduled',
      'meetings.participant.removed',
    ]);
  });

  it('are merged per responding user, with their latest response', async () => {
    const users = createParticipants();
    const { manager, member, other } = users;
    const { meetingId, title } = buildMeeting(users);
    const respond = (user: TestUser, status: 'accepted' | 'declined' | 'tentative', version: number) =>
      service.deliver(
        meetingResponded,
        {
          meetingId,
          title,
          organizerId: manager._id,
          participantIds: [member._id, other._id],
          userId: user._id,
          status,
          version,
        },
        2,
        user._id,
      );
    for (const [index, status] of (['accepted', 'declined', 'tentative', 'declined'] as const).entries())
      await respond(member, status, index + 2);
    await respond(other, 'accepted', 6);
    expect((await listNotifications(manager)).map(({ kind, actor }) => [kind, actor._id])).toEqual([
      ['meetings.meeting.accepted', other._id],
      ['meetings.meeting.declined', member._id],
    ]);
  });

  it('are merged for a document that is shared several times', async () => {
    const { manager, member } = createParticipants();
    const sharedDocument = {
      documentId: newId(),
      name: 'Plan.pdf',
      uploadedBy: manager._id,
      audience: { everyone: false, userIds: [member._id] },
      version: 1,
      project: null,
      sharedWith: [member._id],
    };
    for (let n = 0; n < 4; n += 1) await service.deliver(documentShared, sharedDocument, 2, manager._id);
    expect(await listNotifications(member)).toMatchObject([{ kind: 'documents.document.shared' }]);
  });
});
