import { emailDelivered } from '@atrium/proto-events/events/notifications';
import {
  projectCreated,
  projectDeleted,
  taskCommented,
  taskCreated,
  taskDeleted,
  taskDue,
  taskUpdated,
} from '@atrium/proto-events/events/projects';
import { newId } from '@atrium/service-kit/process/new-id';
import { freePort } from '@atrium/test-kit/free-port';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Connection } from 'mongoose';
import type { z } from 'zod';
import { buildProject, buildUniqueUser, startNotifications } from './factories.ts';
import { createMailServer } from './mail-server.ts';
import { emailsTo, waitForEmail } from './mailbox.ts';
import { startWithStore } from './start-with-store.ts';

let service: TestService;
let store: Connection;

beforeAll(async () => {
  ({ service, store } = await startWithStore());
});
afterAll(() => service?.close());

async function buildTask(target = service) {
  const users = {
    admin: buildUniqueUser({ role: 'admin' }),
    manager: buildUniqueUser({ role: 'project_manager', firstName: 'Paul', lastName: 'Manager' }),
    member: buildUniqueUser({ firstName: 'Mia', lastName: 'Member' }),
    other: buildUniqueUser({ firstName: 'Otto', lastName: 'Other' }),
  };
  target.addToDirectory(...Object.values(users));
  const { manager, member, other } = users;
  // The creator is not notified.
  const project = buildProject(users, { managerId: manager._id, memberIds: [], createdBy: manager._id });
  await target.deliver(projectCreated, project, 1, manager._id);
  const task = {
    taskId: newId(),
    projectId: project.projectId,
    title: 'Draw the plan',
    status: 'todo',
    version: 1,
    assignedTo: null as string | null,
    dueDate: '2083-03-22T00:00:00.000Z',
  };
  const update = (overrides: Partial<z.input<(typeof taskUpdated)['data']>>, actor = manager, times = 1) =>
    target.deliver(taskUpdated, { ...task, progress: 0, changed: [], ...overrides }, times, actor._id);
  const comment = (overrides: Partial<z.input<(typeof taskCommented)['data']>>, actor = manager, times = 1) =>
    target.deliver(
      taskCommented,
      { ...task, commentId: newId(), createdBy: manager._id, commenterIds: [], excerpt: 'Looks good', ...overrides },
      times,
      actor._id,
    );
  const assign = (assignee: { _id: string }) => update({ assignedTo: assignee._id, changed: ['assignedTo'] });
  return { users, manager, member, other, project, task, update, comment, assign };
}

type TestUser = ReturnType<typeof buildUniqueUser>;
type Notification = { kind: string; changed?: string[]; readAt: string | null; subject: Record<string, string> };

async function listNotifications(user: TestUser, target = service) {
  const { body } = await target.call('GET', '/notifications', { as: user });
  return (body as { data: Notification[] }).data;
}
const listKinds = async (user: TestUser) => (await listNotifications(user)).map(({ kind }) => kind);

const markAllRead = (user: TestUser, target = service) =>
  target.call('POST', '/notifications/read', { as: user, body: { all: true } });

describe('a task that is due soon', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60_000).toISOString();

  async function remind(dueDate = inDays(0)) {
    const scene = await buildTask();
    const { task, member } = scene;
    const data = { ...task, assignedTo: member._id, dueDate };
    await service.deliver(taskDue, data, 2);
    return { ...scene, assigned: { assignedTo: member._id } };
  }

  it('reminds its assignee once, and says when and why', async () => {
    const dueDate = inDays(1);
    const { member, task } = await remind(dueDate);
    expect(await listNotifications(member)).toMatchObject([
      {
        dueDate,
        kind: 'projects.task.due',
        notice: { kind: 'task_due', reason: 'assignee', setting: 'channels' },
        actor: null,
        subject: { resource: 'task', id: task.taskId, project: task.projectId },
      },
    ]);
  });

  it('no longer reminds them after it was completed, moved, or assigned to someone else', async () => {
    const changes = [
      { status: 'done', changed: ['status', 'progress'] },
      { dueDate: inDays(9), changed: ['dueDate'] },
    ];
    for (const change of changes) {
      const { member, update, assigned } = await remind();
      await update({ ...assigned, ...change }, member);
      expect(await listKinds(member)).toEqual([]);
    }
    const { member, other, assign } = await remind();
    await assign(other);
    expect(await listKinds(member)).toEqual([]);
  });

  it('still reminds them after other changes', async () => {
    const { member, update, assigned } = await remind();
    await update({ ...assigned, status: 'review', changed: ['status'] }, member);
    expect(await listKinds(member)).toEqual(['projects.task.due']);
  });

  it('reminds nobody when its day is over', async () => {
    const { member } = await remind(inDays(-2));
    expect(await listKinds(member)).toEqual([]);
  });
});

describe('an assigned task', () => {
  it('notifies the assignee immediately, in the app and by email, once', async () => {
    const { manager, member, project, task } = await buildTask();
    await service.deliver(taskCreated, { ...task, assignedTo: member._id }, 2, manager._id);
    const [notification, ...otherNotifications] = await listNotifications(member);
    expect(otherNotifications).toEqual([]);
    expect(notification).toMatchObject({
      kind: 'projects.task.assigned',
      actor: { firstName: 'Paul' },
      subject: { resource: 'task', id: task.taskId, title: 'Draw the plan', project: project.projectId },
    });
    const email = await waitForEmail(member.email);
    expect(email.subject).toBe('Draw the plan');
    expect(email.text).toContain('Paul Manager assigned this task to you.');
    expect(email.text).toContain('Project: Customer portal\nDue date: Monday, March 22, 2083\nStatus: To do');
    expect(email.text).toContain(`https://atrium.example.org/progress/${project.projectId}?task=${task.taskId}`);
    expect(await emailsTo(member.email)).toHaveLength(1);
  });

  it('has single-line titles and names in its email', async () => {
    const { member, update } = await buildTask();
    const firstName = 'Atrium\n\nSECURITY NOTICE:\u2028your password has expired.\u0085\u001b[31m';
    const actor = buildUniqueUser({ firstName, lastName: 'Renew it' });
    service.addToDirectory(actor);
    await update({ assignedTo: member._id, title: 'Draw\r\n\r\nthe plan', changed: ['assignedTo'] }, actor);
    const { subject, text, html } = await waitForEmail(member.email);
    const name = 'Atrium SECURITY NOTICE: your password has expired. [31m Renew it';
    expect(subject).toBe('Draw the plan');
    expect(text.split('\n').slice(0, 3)).toEqual(['Draw the plan', '', `${name} assigned this task to you.`]);
    expect(html).toContain(`${name} assigned this task to you.`);
  });

  it('does not notify users of their own actions', async () => {
    const { member, task, update } = await buildTask();
    await service.deliver(taskCreated, { ...task, assignedTo: member._id }, 1, member._id);
    await update({ assignedTo: member._id, status: 'done', changed: ['status'] }, member);
    expect(await listNotifications(member)).toEqual([]);
  });

  it('withdraws unread notifications from a former assignee', async () => {
    const { member, other, assign, update } = await buildTask();
    await assign(member);
    await assign(other);
    expect(await listKinds(member)).toEqual([]);
    expect(await listKinds(other)).toEqual(['projects.task.assigned']);
    await markAllRead(other);
    await update({ assignedTo: null, changed: ['assignedTo'] });
    expect(await listKinds(other)).toEqual(['projects.task.assigned']);
  });
});

describe('a changed task', () => {
  it('notifies its assignee of due date and status only', async () => {
    const { member, update } = await buildTask();
    const assignment = { assignedTo: member._id };
    await update({ ...assignment, changed: ['title', 'description', 'priority', 'progress', 'comments'] });
    expect(await listNotifications(member)).toEqual([]);
    await update({ ...assignment, status: 'review', changed: ['status', 'progress'] });
    // Before the list is fetched, because there is no email about what a user has seen.
    const email = await waitForEmail(member.email);
    expect(await listNotifications(member)).toMatchObject([{ kind: 'projects.task.changed', changed: ['status'] }]);
    expect(email.subject).toBe('Draw the plan');
    expect(email.text).toContain('Paul Manager changed the status of this task.');
    expect(email.text).toContain('Status: Review');
  });

  it('notifies its assignee of the start date', async () => {
    const { member, update } = await buildTask();
    await update({ assignedTo: member._id, changed: ['startDate', 'dueDate', 'status'] });
    const changed = ['startDate', 'dueDate', 'status'];
    expect(await listNotifications(member)).toMatchObject([{ kind: 'projects.task.changed', changed }]);
    const { text } = await waitForEmail(member.email);
    expect(text).toContain('Paul Manager changed the start date, the due date, and the status of this task.');
  });

  it('sends one notification and one email for a burst of changes, and another after ten minutes', async () => {
    const { member, update } = await buildTask();
    const assignment = { assignedTo: member._id };
    await update({ ...assignment, status: 'review', changed: ['status'] }, undefined, 2);
    await update({ ...assignment, status: 'done', changed: ['status'] }, undefined, 2);
    await update({ ...assignment, dueDate: null, changed: ['dueDate'] }, undefined, 2);
    expect(await listNotifications(member)).toMatchObject([{ changed: ['status', 'dueDate'] }]);
    await waitForEmail(member.email);
    const startedAt = new Date(Date.now() - 11 * 60_000);
    await store.collection('notifications').updateOne({ personId: member._id }, { $set: { startedAt } });
    await update({ ...assignment, dueDate: null, changed: ['dueDate'] });
    await waitForEmail(member.email, 2);
    expect(await emailsTo(member.email)).toHaveLength(2);
    expect(await listNotifications(member)).toHaveLength(2);
  });

  it('sends a new notification once the last was read, even if an old event is redelivered', async () => {
    const { member, update } = await buildTask();
    const change = { assignedTo: member._id, status: 'done', changed: ['status'] };
    await update(change, undefined, 2);
    await markAllRead(member);
    await update(change, undefined, 2);
    const readStates = (await listNotifications(member)).map(({ readAt }) => readAt !== null);
    expect(readStates).toEqual([false, true]);
  });
});

describe('a comment', () => {
  it('notifies mentioned users once', async () => {
    const { manager, member, other, comment } = await buildTask();
    await comment({ assignedTo: member._id, mentionedIds: [other._id, member._id, manager._id] });
    for (const user of [member, other]) expect(await listKinds(user)).toEqual(['projects.task.commented']);
    expect(await listKinds(manager)).toEqual([]);
    expect((await waitForEmail(other.email)).text).toContain('because someone mentioned you');
  });

  it('notifies assignee, creator, and earlier commenters, but not its author', async () => {
    const { users, manager, member, other, comment } = await buildTask();
    const deletedUser = buildUniqueUser({ deleted: true, status: 'inactive' });
    service.addToDirectory(deletedUser);
    await comment(
      { assignedTo: member._id, commenterIds: [other._id, users.admin._id, deletedUser._id] },
      users.admin,
      2,
    );
    for (const user of [manager, member, other]) {
      expect(await listKinds(user)).toEqual(['projects.task.commented']);
      const email = await waitForEmail(user.email);
      expect(email.subject).toBe('Draw the plan');
      expect(email.text).toContain('Looks good');
    }
    expect(await listNotifications(users.admin)).toEqual([]);
    expect(await emailsTo(deletedUser.email)).toEqual([]);
  });

  it('sends one notification for a burst of comments by several users', async () => {
    const { users, member, manager, comment } = await buildTask();
    for (const author of [users.admin, member, users.admin]) await comment({ assignedTo: member._id }, author);
    expect(await listNotifications(manager)).toMatchObject([{ kind: 'projects.task.commented' }]);
    await waitForEmail(manager.email);
    expect(await emailsTo(manager.email)).toHaveLength(1);
  });
});

const APP_ONLY = { app: true, push: false, email: 'off' } as const;

describe('a user who has turned off task emails', () => {
  it('is notified in the app only', async () => {
    const { member, comment, assign } = await buildTask();
    const channels = { task_assigned: APP_ONLY, task_comment: APP_ONLY };
    service.addToDirectory({ ...member, preferences: { notices: { channels } }, version: member.version + 1 });
    await assign(member);
    await comment({ assignedTo: member._id });
    expect((await listKinds(member)).sort()).toEqual(['projects.task.assigned', 'projects.task.commented']);
    const { member: otherMember, assign: assignOther } = await buildTask();
    await assignOther(otherMember);
    await waitForEmail(otherMember.email);
    expect(await emailsTo(member.email)).toEqual([]);
  });
});

describe('a deleted task', () => {
  it('removes its notifications and creates no new ones', async () => {
    const { member, manager, task, comment, assign } = await buildTask();
    await assign(member);
    await comment({ assignedTo: member._id });
    await service.deliver(taskDeleted, { ...task, assignedTo: member._id }, 2, manager._id);
    expect(await listNotifications(member)).toEqual([]);
    await comment({ assignedTo: member._id });
    expect(await listNotifications(member)).toEqual([]);
  });

  it('removes its notifications when its project is deleted', async () => {
    const { member, manager, project, assign } = await buildTask();
    await assign(member);
    const { projectId, name } = project;
    await service.deliver(projectDeleted, { projectId, name }, 2, manager._id);
    expect(await listNotifications(member)).toEqual([]);
  });
});

describe('a deleted comment', () => {
  it('removes its notifications, unless they are about others as well', async () => {
    const { member, other, update, comment } = await buildTask();
    const [first, second] = [newId(), newId()];
    const assigned = { assignedTo: member._id, mentionedIds: [other._id] };
    await comment({ ...assigned, commentId: first });
    await comment({ commentId: second, assignedTo: member._id });
    await update({ changed: ['comments'], deletedCommentId: first });
    expect([await listKinds(member), await listKinds(other)]).toEqual([['projects.task.commented'], []]);
    await update({ changed: ['comments'], deletedCommentId: newId() });
    expect(await listKinds(member)).toEqual(['projects.task.commented']);
  });

  it('does not notify if its creation is handled later, such as a replayed dead letter', async () => {
    const { member, update, comment } = await buildTask();
    const commentId = newId();
    await update({ changed: ['comments'], deletedCommentId: commentId });
    await comment({ commentId, assignedTo: member._id });
    expect(await listKinds(member)).toEqual([]);
    await comment({ commentId: newId(), assignedTo: member._id });
    expect(await listKinds(member)).toEqual(['projects.task.commented']);
  });

  it('is not quoted in emails that have not been sent', async () => {
    const port = await freePort();
    const { service: serviceWithoutMail } = await startNotifications({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    const server = createMailServer();
    try {
      const { member, other, update, comment } = await buildTask(serviceWithoutMail);
      const commentId = newId();
      await comment({ commentId, assignedTo: member._id, mentionedIds: [other._id], excerpt: 'The password is' });
      await comment({ assignedTo: member._id, excerpt: 'No' });
      await update({ changed: ['comments'], deletedCommentId: commentId });
      await server.start(port);
      const countOutcomes = () => serviceWithoutMail.countPublished(emailDelivered, ({ kind }) => kind === 'task');
      await waitFor(() => countOutcomes() === 2, { description: 'the outcome of each email' });
      expect(server.received.map(({ to }) => to)).toEqual([member.email]);
      expect(JSON.stringify(server.received)).not.toContain('password');
    } finally {
      await serviceWithoutMail.close();
      await server.stop();
    }
  });
});

describe('a queued task email', () => {
  it('is not sent after its notification was read or withdrawn', async () => {
    const port = await freePort();
    const { service: serviceWithoutMail } = await startNotifications({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    const server = createMailServer();
    try {
      const readTask = await buildTask(serviceWithoutMail);
      const reassignedTask = await buildTask(serviceWithoutMail);
      const unreadTask = await buildTask(serviceWithoutMail);
      for (const { assign, member } of [readTask, reassignedTask, unreadTask]) await assign(member);
      await markAllRead(readTask.member, serviceWithoutMail);
      await reassignedTask.assign(reassignedTask.other);
      await server.start(port);
      const countOutcomes = () => serviceWithoutMail.countPublished(emailDelivered, ({ kind }) => kind === 'task');
      await waitFor(() => countOutcomes() === 4, { description: 'the outcome of each email' });
      expect(server.received.map(({ to }) => to).sort()).toEqual(
        [reassignedTask.other.email, unreadTask.member.email].sort(),
      );
    } finally {
      await serviceWithoutMail.close();
      await server.stop();
    }
  });
});
