import type { Task } from '@atrium/proto-events/http/tasks';
import type { Workload } from '@atrium/proto-events/http/workload';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createProject, createTask, startProjects, type TestUsers } from './factories.ts';

let service: TestService;
let users: TestUsers;
let project: string;

beforeAll(async () => {
  ({ service, users } = await startProjects());
  project = await createWorkload();
});
afterAll(() => service.close());

/** A Wednesday. */
const TODAY = '2026-12-02';
const WEEK = { projectId: '', today: TODAY, weekStart: 'mon', weeks: '2' };

/** Days around the limits of two weeks from Monday, 2026-11-30. */
const DUE_DATES = {
  overdue: ['2026-11-29', '2026-11-30', '2026-12-01'],
  first: ['2026-12-02', '2026-12-06T23:59:59.999Z'],
  second: ['2026-12-07', '2026-12-13'],
  later: ['2026-12-14', '2028-02-29'],
  none: [null],
};

async function createWorkload(): Promise<string> {
  const { _id } = await createProject(service, users, { teamMembers: [users.member._id, users.colleague._id] });
  const add = (fields: Record<string, unknown>) => createTask(service, users, { project: _id, ...fields });
  for (const dueDate of Object.values(DUE_DATES).flat()) {
    await add({ dueDate, assignedTo: users.member._id });
    await add({ dueDate, assignedTo: users.member._id, status: 'done' });
  }
  await add({ dueDate: TODAY, assignedTo: users.colleague._id, status: 'review' });
  await add({ dueDate: TODAY });
  return _id;
}

async function readWorkload(query: Record<string, string>): Promise<Workload> {
  const { status, body } = await service.call('GET', `/tasks/workload?${new URLSearchParams(query)}`, {
    as: users.stranger,
  });
  expect(status).toBe(200);
  return body as Workload;
}

const counts = ({ data }: Workload) =>
  data.map(({ user, overdue, weeks, later, undated }) => [user?.firstName, overdue, ...weeks, later, undated]);

describe('the workload of a project', () => {
  it('has a row for everyone in it and for tasks of nobody, and counts open tasks by the week in which they are due', async () => {
    const workload = await readWorkload({ ...WEEK, projectId: project });
    expect(workload.weeks).toEqual(['2026-11-30', '2026-12-07']);
    expect(counts(workload)).toEqual([
      ['Mia', 3, 2, 2, 2, 1],
      ['Cora', 0, 1, 0, 0, 0],
      [undefined, 0, 1, 0, 0, 0],
      ['Paul', 0, 0, 0, 0, 0],
    ]);
  });

  it('starts weeks on the requested day', async () => {
    const { weeks } = await readWorkload({ ...WEEK, projectId: project, weekStart: 'sat', weeks: '1' });
    expect(weeks).toEqual(['2026-11-28']);
  });

  it('counts as many tasks as the list at the same limits has', async () => {
    const workload = await readWorkload({ ...WEEK, projectId: project });
    const countListed = async (query: Record<string, string>) => {
      const parameters = new URLSearchParams({ project, status: 'todo,in-progress,review', ...query });
      const { body } = await service.call('GET', `/tasks?${parameters}`, { as: users.stranger });
      return (body as { total: number; data: Task[] }).total;
    };
    const [first = '', second = ''] = workload.weeks;
    for (const { user, overdue, weeks, later, undated } of workload.data) {
      const assignedTo = user?._id ?? 'none';
      expect([overdue, ...weeks, later, undated]).toEqual([
        await countListed({ assignedTo, dueBefore: TODAY }),
        await countListed({ assignedTo, dueFrom: TODAY, dueBefore: second }),
        await countListed({ assignedTo, dueFrom: second, dueBefore: '2026-12-14' }),
        await countListed({ assignedTo, dueFrom: '2026-12-14' }),
        await countListed({ assignedTo, due: 'none' }),
      ]);
    }
    expect(first < TODAY).toBe(true);
  });

  it('responds 404 without the project', async () => {
    const path = `/tasks/workload?projectId=${newId()}`;
    expect((await service.call('GET', path, { as: users.member })).status).toBe(404);
  });
});

describe('the workload of users', () => {
  it('is of the requested users, in their order, over all projects', async () => {
    const other = await createProject(service, users);
    await createTask(service, users, { project: other._id, dueDate: TODAY, assignedTo: users.member._id });
    const requested = [users.colleague._id, users.stranger._id, users.member._id].join();
    const { today, weekStart, weeks } = WEEK;
    const workload = await readWorkload({ users: requested, today, weekStart, weeks });
    expect(counts(workload)).toEqual([
      ['Cora', 0, 1, 0, 0, 0],
      ['Stan', 0, 0, 0, 0, 0],
      ['Mia', 3, 3, 2, 2, 1],
    ]);
  });

  it('is not read with invalid dates, or for anonymous callers', async () => {
    expect((await service.call('GET', '/tasks/workload?today=soon', { as: users.member })).status).toBe(400);
    expect((await service.call('GET', '/tasks/workload')).status).toBe(401);
  });

  it('is that of the caller by default', async () => {
    const { data, weeks } = await readWorkload({});
    expect([data.map(({ user }) => user?.firstName), weeks.length]).toEqual([['Stan'], 6]);
  });
});
