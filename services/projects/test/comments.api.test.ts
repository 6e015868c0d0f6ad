import { taskCommented, taskUpdated } from '@atrium/proto-events/events/projects';
import type { Comment, Task } from '@atrium/proto-events/http/tasks';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createProject, createTask, startProjects, type TestUsers } from './factories.ts';

const UNKNOWN = 'f'.repeat(24);
let service: TestService;
let users: TestUsers;
let project: string;
let task: string;

beforeAll(async () => {
  ({ service, users } = await startProjects());
  ({ _id: project } = await createProject(service, users));
  ({ _id: task } = await createTask(service, users, { project }));
});
afterAll(() => service.close());

const add = (as: keyof TestUsers, comment: unknown, { id = task, headers = {} } = {}) =>
  service.call('POST', `/tasks/${id}/comments`, { as: users[as], body: { comment }, headers });
const addAndGetId = async (as: keyof TestUsers, text = 'Looks good') => ((await add(as, text)).body as Comment)._id;
const remove = (as: keyof TestUsers, comment: string, id = task) =>
  service.call('DELETE', `/tasks/${id}/comments/${comment}`, { as: users[as] });
const readTask = async (as: keyof TestUsers = 'admin') =>
  (await service.call('GET', `/tasks/${task}`, { as: users[as] })).body as Task;

describe('POST /tasks/:id/comments', () => {
  it('adds a comment, updates the count, and increments the version of the task', async () => {
    const taskBefore = await readTask();
    const { status, body } = await add('member', '  On it  ');
    expect(status).toBe(201);
    expect(body).toMatchObject({ comment: 'On it', author: { firstName: 'Mia' }, abilities: { delete: true } });
    const taskAfter = await readTask();
    expect(taskAfter.commentCount).toBe(taskBefore.commentCount + 1);
    expect(taskAfter.version).toBe(taskBefore.version + 1);
    expect(taskAfter.comments?.at(-1)).toMatchObject({ comment: 'On it' });
    const event = await service.waitForEvent(taskCommented, (data) => data.commentId === (body as Comment)._id);
    expect(event.actorId).toBe(users.member._id);
    expect(event.data).toMatchObject({ taskId: task, projectId: project, version: taskAfter.version });
  });

  it('publishes the affected users and an excerpt', async () => {
    const { _id } = await createTask(service, users, { project, assignedTo: users.member._id });
    for (const as of ['manager', 'otherManager', 'manager'] as const) await add(as, 'Hello', { id: _id });
    const { body } = await add('member', `${'x'.repeat(198)}😀 and more`, { id: _id });
    const event = await service.waitForEvent(taskCommented, (data) => data.commentId === (body as Comment)._id);
    expect(event.data).toMatchObject({
      createdBy: users.admin._id,
      assignedTo: users.member._id,
      commenterIds: [users.manager._id, users.otherManager._id],
      excerpt: `${'x'.repeat(198)}…`,
    });
  });

  it('publishes the mentioned users and their names in the excerpt', async () => {
    const { _id } = await createTask(service, users, { project });
    const { stranger, manager } = users;
    const text = `<@${stranger._id}> and <@${manager._id}>, <@${stranger._id}>: see <@${UNKNOWN}> and @nobody`;
    const { body } = await add('member', text, { id: _id });
    const event = await service.waitForEvent(taskCommented, (data) => data.commentId === (body as Comment)._id);
    const toMentionText = ({ firstName, lastName }: typeof manager) => `@${firstName} ${lastName}`.trim();
    expect(event.data).toMatchObject({
      mentionedIds: [stranger._id, manager._id],
      excerpt: `${toMentionText(stranger)} and ${toMentionText(manager)}, ${toMentionText(stranger)}: see <@${UNKNOWN}> and @nobody`,
    });
  });

  it('accepts project members, administrators, and project managers only', async () => {
    for (const as of ['admin', 'manager', 'otherManager', 'member'] as const) {
      expect((await add(as, 'Hello')).status).toBe(201);
    }
    const rejectedResponse = await add('stranger', 'Hello');
    expect(rejectedResponse.status).toBe(403);
    expect(rejectedResponse.body).toMatchObject({ message: 'Only project members can comment on its tasks' });
  });

  it('rejects empty and oversized comments, unknown tasks, and anonymous callers', async () => {
    expect((await add('admin', '   ')).body).toMatchObject({ message: ['Comment is required'] });
    expect((await add('admin', undefined)).body).toMatchObject({ message: ['Comment is required'] });
    expect((await add('admin', 'x'.repeat(5001))).status).toBe(400);
    expect((await add('admin', 'x', { id: UNKNOWN })).status).toBe(404);
    expect((await add('admin', 'x', { id: 'nonsense' })).status).toBe(404);
    expect((await service.call('POST', `/tasks/${task}/comments`, { body: { comment: 'x' } })).status).toBe(401);
  });

  it('returns the first response again for a retry with the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'comment-1' };
    const responses = await Promise.all([add('member', 'Once', { headers }), add('member', 'Once', { headers })]);
    const ids = responses.map(({ body }) => (body as Comment)._id);
    expect(ids[0]).toBe(ids[1]);
  });

  it('returns comments oldest first with the abilities of the caller', async () => {
    const { _id } = await createTask(service, users, { project });
    for (const text of ['one', 'two', 'three']) await add(text === 'two' ? 'member' : 'manager', text, { id: _id });
    const { body } = await service.call('GET', `/tasks/${_id}`, { as: users.member });
    expect((body as Task).comments?.map(({ comment, abilities }) => [comment, abilities.delete])).toEqual([
      ['one', false],
      ['two', true],
      ['three', false],
    ]);
  });
});

describe('GET /tasks/:id/comments', () => {
  const list = async (id: string, query: string) =>
    (await service.call('GET', `/tasks/${id}/comments${query}`, { as: users.stranger })) as {
      status: number;
      body: { data: Comment[]; total: number; totalPages: number };
    };

  it('paginates all comments newest first, while the task includes the latest fifty', async () => {
    const { _id } = await createTask(service, users, { project });
    await service.query(
      `insert into task_comments (id, task_id, author_id, comment, created_at)
       select lpad(to_hex(n), 24, '0'), $1, $2, 'comment ' || n, now() - interval '1 day' + n * interval '1 second'
       from generate_series(1, 119) n`,
      [_id, users.member._id],
    );
    await service.query('update tasks set comment_count = 119 where id = $1', [_id]);
    await add('manager', 'comment 120', { id: _id });
    const pages = await Promise.all([1, 2, 3].map((page) => list(_id, `?limit=50&page=${page}`)));
    const numbers = pages.flatMap(({ body }) => body.data.map(({ comment }) => Number(comment.split(' ')[1])));
    expect(numbers).toEqual(Array.from({ length: 120 }, (_, index) => 120 - index));
    expect(pages[0]?.body).toMatchObject({ total: 120, totalPages: 3 });
    const { body: task } = await service.call('GET', `/tasks/${_id}`, { as: users.member });
    const latestComments = (task as Task).comments?.map(({ comment }) => comment);
    expect([latestComments?.length, latestComments?.at(0), latestComments?.at(-1)]).toEqual([
      50,
      'comment 71',
      'comment 120',
    ]);
  });

  it('rejects unknown tasks, pages out of range, and anonymous callers', async () => {
    for (const id of [UNKNOWN, 'nonsense']) expect((await list(id, '')).status).toBe(404);
    expect(await list(task, '?page=1001')).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect((await service.call('GET', `/tasks/${task}/comments`)).status).toBe(401);
  });
});

describe('DELETE /tasks/:id/comments/:commentId', () => {
  it('deletes a comment for its author and administrators, updates the count, and publishes an event', async () => {
    const taskBefore = await readTask();
    const ownComment = await addAndGetId('member');
    const otherComment = await addAndGetId('member');
    expect((await remove('member', ownComment)).status).toBe(204);
    expect((await remove('admin', otherComment)).status).toBe(204);
    const taskAfter = await readTask();
    expect(taskAfter.commentCount).toBe(taskBefore.commentCount);
    expect(taskAfter.version).toBe(taskBefore.version + 4);
    const event = await service.waitForEvent(
      taskUpdated,
      (data) => data.taskId === task && data.version === taskAfter.version,
    );
    expect(event.data).toMatchObject({ changed: ['comments'], deletedCommentId: otherComment });
  });

  it('rejects everyone else, including the project manager', async () => {
    const id = await addAndGetId('member');
    for (const as of ['manager', 'otherManager', 'stranger'] as const) {
      const { status, body } = await remove(as, id);
      expect(status).toBe(403);
      expect(body).toMatchObject({ message: 'Only its author and administrators can delete this comment' });
    }
  });

  it('responds with 404 for a comment of another task, a deleted comment, and a malformed id', async () => {
    const id = await addAndGetId('member');
    const { _id: otherTask } = await createTask(service, users, { project });
    expect((await remove('admin', id, otherTask)).status).toBe(404);
    expect((await remove('admin', id)).status).toBe(204);
    expect((await remove('admin', id)).status).toBe(404);
    expect((await remove('admin', 'nonsense')).status).toBe(404);
    expect((await remove('admin', UNKNOWN, UNKNOWN)).status).toBe(404);
    expect((await service.call('DELETE', `/tasks/${task}/comments/${id}`)).status).toBe(401);
  });
});
