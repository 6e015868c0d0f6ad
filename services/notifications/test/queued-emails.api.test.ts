import { taskCommented, taskCreated } from '@atrium/proto-events/events/projects';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import { fakeClockInEachTest } from '@atrium/test-kit/fake-clock';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Deps } from '../src/deps.ts';
import { taskHandlers } from '../src/handlers/on-task-events.ts';
import { buildUniqueUser } from './factories.ts';
import { setTime, startScenario } from './scenario.ts';

let scenario: Awaited<ReturnType<typeof startScenario>>;
let deps: Deps;
const manager = buildUniqueUser({ role: 'project_manager' });

beforeAll(async () => {
  scenario = await startScenario();
  deps = scenario.deps;
  deps.directory.putUser(manager);
});
afterAll(() => scenario.close());
fakeClockInEachTest();

function createUser(fields: Partial<DirectoryUser> = {}): DirectoryUser {
  const user = buildUniqueUser(fields);
  deps.directory.putUser(user);
  return user;
}

/** Changes a user in the directory. */
const change = (user: DirectoryUser, preferences: DirectoryUser['preferences']) =>
  deps.directory.putUser({ ...user, preferences, version: user.version + 1 });

async function assign(user: DirectoryUser) {
  const task = { taskId: newId(), projectId: newId(), title: 'Draw the plan', status: 'todo' as const, version: 1 };
  const data = { ...task, assignedTo: user._id, dueDate: null };
  await scenario.handle(taskHandlers(deps), { event: taskCreated, data, actorId: manager._id });
  return task;
}

const listStates = async (user: DirectoryUser) =>
  (await scenario.listEmails(user)).map(({ state, lastError }) => lastError ?? state);

async function comment(user: DirectoryUser, taskId: string, id = newId()): Promise<string> {
  const task = { taskId, projectId: newId(), title: 'Draw the plan', status: 'todo' as const, version: 1 };
  const data = { ...task, assignedTo: user._id, createdBy: manager._id, commentId: newId(), excerpt: 'Looks good' };
  await scenario.handle(taskHandlers(deps), { event: taskCommented, data, actorId: manager._id, id });
  return id;
}

const visit = ({ _id }: DirectoryUser) =>
  deps.store.visits.updateOne({ _id }, { $set: { at: new Date() } }, { upsert: true });

describe('a comment on a task', () => {
  const SEEN = 'recipient saw the notification in the app';

  it('is emailed once, if an earlier one was not because its recipient saw it', async () => {
    const [user, taskId] = [createUser(), newId()];
    setTime('12:00:00');
    await visit(user);
    await comment(user, taskId);
    setTime('12:00:05');
    await visit(user);
    setTime('12:00:11');
    await scenario.deliverDue();
    expect(await listStates(user)).toEqual([SEEN]);
    setTime('12:03:00');
    const second = await comment(user, taskId);
    await comment(user, taskId, second);
    await comment(user, taskId);
    setTime('12:03:20');
    await scenario.deliverDue();
    expect(await listStates(user)).toEqual([SEEN, 'sent']);
    expect(await deps.store.notifications.countDocuments({ personId: user._id })).toBe(1);
  });

  it('is emailed if an earlier one was seen before it and is still queued', async () => {
    const [user, taskId] = [createUser(), newId()];
    setTime('12:00:00');
    await visit(user);
    await comment(user, taskId);
    setTime('12:00:05');
    await visit(user);
    setTime('12:00:06');
    await comment(user, taskId);
    setTime('12:00:20');
    await scenario.deliverDue();
    expect(await listStates(user)).toEqual(['sent']);
  });
});

describe('a queued email', () => {
  it('is withheld if its recipient has turned such emails off', async () => {
    const [unsubscribed, muted, muting] = [createUser(), createUser(), createUser()];
    setTime('12:00:00');
    await assign(unsubscribed);
    const { projectId } = await assign(muted);
    await assign(muting);
    const choice = { app: true, push: true, email: 'off' } as const;
    change(unsubscribed, { notices: { channels: { task_assigned: choice } } });
    change(muted, { noticeLevels: [{ resource: 'project', id: projectId, level: 'none' }] });
    change(muting, { noticeLevels: [{ resource: 'project', id: projectId, level: 'none' }] });
    await scenario.deliverDue();
    const reason = 'recipient has turned these emails off';
    expect([await listStates(unsubscribed), await listStates(muted), await listStates(muting)]).toEqual([
      [reason],
      [reason],
      ['sent'],
    ]);
  });

  it('waits for the end of a pause that has begun since', async () => {
    const user = createUser();
    setTime('12:00:00');
    await assign(user);
    change(user, { notices: { pausedUntil: '2026-11-30T14:00:00Z' } });
    await scenario.deliverDue();
    const [email] = await scenario.listEmails(user);
    expect(email).toMatchObject({ state: 'queued', attempts: 0, nextAttemptAt: new Date('2026-11-30T14:00:00Z') });
    setTime('14:00:00');
    await scenario.deliverDue();
    expect(await listStates(user)).toEqual(['sent']);
  });
});
