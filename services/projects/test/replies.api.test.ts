import { taskReplied } from '@atrium/proto-events/events/notifications';
import { commentRejected, taskCommented } from '@atrium/proto-events/events/projects';
import type { Task } from '@atrium/proto-events/http/tasks';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createProject, createTask, startProjects, type TestUsers } from './factories.ts';

let service: TestService;
let users: TestUsers;
let project: string;

beforeAll(async () => {
  ({ service, users } = await startProjects());
  ({ _id: project } = await createProject(service, users));
});
afterAll(() => service.close());

const startTask = async () => (await createTask(service, users, { project, assignedTo: users.member._id }))._id;

/** Delivers the reply twice, which can happen to any event. */
const reply = (as: keyof TestUsers, taskId: string, text = 'Looks good') =>
  service.deliver(taskReplied, { taskId, userId: users[as]._id, text }, 2);
const readTask = async (id: string) => (await service.call('GET', `/tasks/${id}`, { as: users.admin })).body as Task;
const listComments = async (id: string) => (await readTask(id)).comments?.map(({ comment }) => comment);
const waitForReason = async (id: string) =>
  (await service.waitForEvent(commentRejected, ({ taskId }) => taskId === id)).data;

describe('a reply by email to a task', () => {
  it('is a comment of its user, once, which notifies others like any comment', async () => {
    const task = await startTask();
    await reply('member', task, `  Rất tốt, <@${users.stranger._id}>\n\nנראה טוב  `);
    expect(await readTask(task)).toMatchObject({
      commentCount: 1,
      comments: [{ comment: `Rất tốt, <@${users.stranger._id}>\n\nנראה טוב`, author: { _id: users.member._id } }],
    });
    const event = await service.waitForEvent(taskCommented, ({ taskId }) => taskId === task);
    expect(event.actorId).toBe(users.member._id);
    expect(event.data).toMatchObject({ createdBy: users.admin._id, mentionedIds: [users.stranger._id] });
    expect(service.countPublished(taskCommented, ({ taskId }) => taskId === task)).toBe(1);
    expect(service.countPublished(commentRejected, ({ taskId }) => taskId === task)).toBe(0);
  });

  it('is rejected once with the reason of an API call if the user cannot comment anymore', async () => {
    const task = await startTask();
    const { body } = await service.call('POST', `/tasks/${task}/comments`, {
      as: users.stranger,
      body: { comment: 'Let me in' },
    });
    await reply('stranger', task);
    expect(await waitForReason(task)).toEqual({
      taskId: task,
      userId: users.stranger._id,
      reason: (body as { message: string }).message,
    });
    expect(service.countPublished(commentRejected, ({ taskId }) => taskId === task)).toBe(1);
    expect(await listComments(task)).toEqual([]);
  });

  it('is rejected after the user has been removed from the project', async () => {
    const { _id: otherProject } = await createProject(service, users);
    const { _id: task } = await createTask(service, users, { project: otherProject });
    await reply('member', task, 'As a member');
    const path = `/projects/${otherProject}/team-members/${users.member._id}`;
    expect((await service.call('DELETE', path, { as: users.admin })).status).toBe(204);
    await reply('member', task, 'As a stranger');
    expect(await waitForReason(task)).toMatchObject({ userId: users.member._id });
    expect(await listComments(task)).toEqual(['As a member']);
  });

  it('is rejected from a deactivated user, about a deleted task, and if the text is too long or empty', async () => {
    const task = await startTask();
    await reply('inactive', task);
    expect((await waitForReason(task)).reason).toBe('Your account was deactivated');
    expect(await listComments(task)).toEqual([]);

    const unknown = newId();
    await reply('member', unknown);
    expect((await waitForReason(unknown)).reason).toBe('The task was deleted');

    for (const text of ['x'.repeat(5_001), '\u200b']) {
      const other = await startTask();
      const { body } = await service.call('POST', `/tasks/${other}/comments`, {
        as: users.member,
        body: { comment: text },
      });
      await reply('member', other, text);
      expect((await waitForReason(other)).reason).toBe((body as { errors: { message: string }[] }).errors[0]?.message);
      expect(await listComments(other)).toEqual([]);
    }
  });
});
