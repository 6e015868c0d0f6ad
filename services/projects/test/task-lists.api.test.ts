import type { Task } from '@atrium/proto-events/http/tasks';
import { buildUser } from '@atrium/test-kit/people';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildProject, buildTask, dayFromNow, type People, startProjects } from './factories.ts';

const UNKNOWN = 'f'.repeat(24);
let service: TestService;
let people: People;
let project: string;
let other: string;

type List = { data: Task[]; total: number; page: number; totalPages: number };

/** [title, status, priority, due, assigned to the member], in order of creation. */
const TASKS = [
  ['Alpha', 'todo', 'low', '2027-03-01', true],
  ['Beta', 'todo', 'urgent', null, true],
  ['Gamma', 'in-progress', 'urgent', '2027-01-01', false],
  ['Delta', 'review', 'high', '2020-01-01', true],
  ['Epsilon', 'done', 'high', '2020-01-01', true],
  ['Zeta', 'done', 'medium', null, false],
] as const;

beforeAll(async () => {
  ({ service, people } = await startProjects());
  ({ _id: project } = await buildProject(service, people));
  ({ _id: other } = await buildProject(service, people));
  for (const [title, status, priority, dueDate, isMine] of TASKS) {
    const assignedTo = isMine ? people.member._id : null;
    await buildTask(service, people, { project, title, status, priority, dueDate, assignedTo });
  }
  await buildTask(service, people, { project: other, title: 'Elsewhere', assignedTo: people.member._id });
});
afterAll(() => service.close());

const listed = async (path: string): Promise<List> => {
  const { status, body } = await service.call('GET', path, { as: people.member });
  expect([path, status]).toEqual([path, 200]);
  return body as List;
};
const titles = async (path: string) => {
  const { data, total } = await listed(path);
  expect(total).toBe(data.length);
  return data.map(({ title }) => title);
};

describe.each(['/tasks', '/tasks/my-tasks', 'of the project'])('%s', (of) => {
  const path = () => (of === 'of the project' ? `/tasks/project/${project}` : of);
  /** The unfiltered list, newest first. */
  const all = () => {
    const mine = TASKS.filter(([, , , , isMine]) => isMine || of !== '/tasks/my-tasks').map(([title]) => title);
    return [...mine, ...(of === 'of the project' ? [] : ['Elsewhere'])].reverse();
  };
  const only = (...wanted: string[]) => all().filter((title) => wanted.includes(title));

  it('lists newest first', async () => {
    expect(await titles(path())).toEqual(all());
  });

  it('filters by statuses and priorities, and ignores unknown values', async () => {
    expect(await titles(`${path()}?status=done`)).toEqual(only('Epsilon', 'Zeta'));
    expect(await titles(`${path()}?status=done,review,nonsense`)).toEqual(only('Delta', 'Epsilon', 'Zeta'));
    expect(await titles(`${path()}?priority=urgent,high&status=todo,review`)).toEqual(only('Beta', 'Delta'));
    expect(await titles(`${path()}?status=nonsense`)).toEqual(all());
  });

  it('sorts by priority, then by due date with missing dates last', async () => {
    const inOrder = ['Gamma', 'Beta', 'Delta', 'Epsilon', 'Elsewhere', 'Zeta', 'Alpha'];
    const sorted = await titles(`${path()}?sort=priority`);
    // Equal due dates are ordered by id.
    const tie = (title: string) => (title === 'Epsilon' ? 'Delta' : title);
    const expected = inOrder.filter((title) => all().includes(title));
    expect(sorted.filter((title) => title !== 'Elsewhere' && title !== 'Zeta').map(tie)).toEqual(
      expected.filter((title) => title !== 'Elsewhere' && title !== 'Zeta').map(tie),
    );
    expect(await titles(`${path()}?sort=priority&priority=urgent&status=todo,in-progress`)).toEqual(
      expected.filter((title) => ['Gamma', 'Beta'].includes(title)),
    );
  });

  it('rejects an unknown order', async () => {
    const response = await service.call('GET', `${path()}?sort=oldest`, { as: people.member });
    expect(response).toMatchObject({ status: 400, body: { errors: [{ path: 'query.sort' }] } });
  });

  it('searches title and description literally, ignoring case, also for two letters', async () => {
    expect(await titles(`${path()}?search=ELTA`)).toEqual(only('Delta'));
    expect(await titles(`${path()}?search=et`)).toEqual(only('Beta', 'Zeta'));
    expect(await titles(`${path()}?search=%25`)).toEqual([]);
    expect(await titles(`${path()}?search=eta&status=done`)).toEqual(only('Zeta'));
    expect(await titles(`${path()}?search=eta&sort=priority`)).toEqual(only('Beta', 'Zeta').reverse());
  });

  it('paginates with the filtered total, and returns an empty page past the end', async () => {
    const first = await listed(`${path()}?limit=2`);
    const second = await listed(`${path()}?limit=2&page=2`);
    expect([...first.data, ...second.data].map(({ title }) => title)).toEqual(all().slice(0, 4));
    expect(first).toMatchObject({ total: all().length, totalPages: Math.ceil(all().length / 2), page: 1 });
    const past = await listed(`${path()}?limit=2&page=90&status=done`);
    expect(past).toMatchObject({ data: [], total: only('Epsilon', 'Zeta').length });
    expect(await listed(`${path()}?search=eta&page=90`)).toMatchObject({
      data: [],
      total: only('Beta', 'Zeta').length,
    });
  });
});

describe('GET /tasks', () => {
  it('filters by project and assignee, alone and combined', async () => {
    expect(await titles(`/tasks?project=${other}`)).toEqual(['Elsewhere']);
    expect(await titles(`/tasks?assignedTo=${people.member._id}&project=${project}`)).toHaveLength(4);
    const both = `/tasks?assignedTo=${people.member._id}&project=${project}`;
    expect(await titles(`${both}&status=done,todo&sort=priority`)).toEqual(['Beta', 'Epsilon', 'Alpha']);
    expect(await titles(`${both}&search=alph`)).toEqual(['Alpha']);
    expect(await titles(`/tasks?project=${UNKNOWN}`)).toEqual([]);
  });

  it('returns only the requested ids', async () => {
    const { body } = await service.call('GET', `/tasks?project=${project}&limit=2`, { as: people.member });
    const [one, two] = (body as List).data;
    const ids = `${two?._id},${UNKNOWN},${one?._id}`;
    const { body: given } = await service.call('GET', `/tasks?ids=${ids}`, { as: people.member });
    expect(given).toMatchObject({ data: [one, two], total: 2 });
    expect(await titles(`/tasks?ids=${ids}&project=${other}`)).toEqual([]);
    expect(await titles(`/tasks/project/${project}?ids=${one?._id}`)).toHaveLength(1);
    expect(await titles('/tasks?ids=nonsense')).toEqual([]);
  });

  it('includes the abilities of the caller for each task', async () => {
    const { body } = await service.call('GET', '/tasks?limit=1', { as: people.stranger });
    expect((body as List).data[0]).toMatchObject({
      abilities: { update: false, updateStatus: false, comment: false, delete: false },
      denialReasons: { comment: 'Only project members can comment on its tasks' },
    });
  });

  it('rejects a malformed user or project, and anonymous callers', async () => {
    expect((await service.call('GET', '/tasks?project=nonsense', { as: people.admin })).status).toBe(400);
    expect((await service.call('GET', '/tasks?assignedTo=me', { as: people.admin })).status).toBe(400);
    expect((await service.call('GET', '/tasks')).status).toBe(401);
    expect((await service.call('GET', '/tasks/my-tasks')).status).toBe(401);
  });
});

describe('GET /tasks/project/:id', () => {
  it('filters by assignee', async () => {
    expect(await titles(`/tasks/project/${project}?assignedTo=${people.member._id}&status=todo`)).toEqual([
      'Beta',
      'Alpha',
    ]);
  });

  it('responds with 404 for an unknown or malformed project, and 401 to anonymous callers', async () => {
    expect((await service.call('GET', `/tasks/project/${UNKNOWN}`, { as: people.member })).status).toBe(404);
    expect((await service.call('GET', '/tasks/project/nonsense', { as: people.member })).status).toBe(404);
    expect((await service.call('GET', `/tasks/project/${project}`)).status).toBe(401);
  });
});

describe('the task search', () => {
  it.each([
    'größe',
    'GROSSE',
    'proekt ubersicht'.replace('proekt', 'ПРОЕКТ'),
    'U\u0308bersicht',
    'одоσ'.replace('одо', 'οδο'),
    '议记',
    'ÜBERSICHT',
    'проект',
    'ΟΔΟΣ',
    '会议记录',
    'übersicht проект',
    '100%_',
  ])('finds words in any script, ignoring case: %s', async (search) => {
    const { _id: own } = await buildProject(service, people);
    await buildTask(service, people, { project: own, title: `GRÖSSE, Größe: Übersicht ПРОЕКТ ΟΔΟΣ 会议记录 100%_` });
    const { body } = await service.call('GET', `/tasks/project/${own}?search=${encodeURIComponent(search)}`, {
      as: people.member,
    });
    expect((body as { total: number }).total).toBe(1);
    await service.call('DELETE', `/projects/${own}`, { as: people.admin });
  });
});

describe('GET /tasks/stats', () => {
  const stats = async (query: string) =>
    (await service.call('GET', `/tasks/stats${query}`, { as: people.stranger })).body;

  it('counts all tasks, those of a project, a user, or both, and overdue ones', async () => {
    const ofProject = { total: 6, todo: 2, inProgress: 1, review: 1, done: 2, overdue: 1 };
    const both = { total: 4, todo: 2, inProgress: 0, review: 1, done: 1, overdue: 1 };
    expect(await stats('')).toEqual({ ...ofProject, total: 7, todo: 3 });
    expect(await stats(`?projectId=${project}`)).toEqual(ofProject);
    expect(await stats(`?userId=${people.member._id}`)).toEqual({ ...both, total: 5, todo: 3 });
    expect(await stats(`?userId=${people.member._id}&projectId=${project}`)).toEqual(both);
    const nothing = { total: 0, todo: 0, inProgress: 0, review: 0, done: 0, overdue: 0 };
    expect(await stats(`?userId=${people.stranger._id}`)).toEqual(nothing);
    expect(await stats(`?projectId=${UNKNOWN}&userId=${UNKNOWN}`)).toEqual(nothing);
  });

  it('counts tasks due yesterday as overdue, but not those due today or tomorrow', async () => {
    const { _id: dated } = await buildProject(service, people, { teamMembers: [people.colleague._id] });
    const userId = people.colleague._id;
    const queries = ['', `?projectId=${dated}`, `?userId=${userId}`, `?userId=${userId}&projectId=${dated}`];
    const overdue = () =>
      Promise.all(queries.map(async (query) => ((await stats(query)) as { overdue: number }).overdue));
    const before = await overdue();
    for (const dueDate of [dayFromNow(0), dayFromNow(1), `${dayFromNow(0)}T00:00:01Z`]) {
      await buildTask(service, people, { project: dated, assignedTo: userId, dueDate });
      expect([dueDate, await overdue()]).toEqual([dueDate, before]);
    }
    await buildTask(service, people, { project: dated, assignedTo: userId, dueDate: dayFromNow(-1) });
    expect(await overdue()).toEqual(before.map((count) => count + 1));
  });

  it('uses the local date of the caller', async () => {
    // Their clocks are 25 hours apart, so the day is never the same.
    const [behind, ahead] = ['Pacific/Pago_Pago', 'Pacific/Kiritimati'].map((timezone) => buildUser({ timezone }));
    if (!behind || !ahead) throw new Error('Expected two users');
    service.addToDirectory(behind, ahead);
    const overdue = (as: typeof ahead) =>
      Promise.all(
        ['/tasks/stats', `/tasks/stats?projectId=${project}`, '/projects/stats'].map(
          async (path) => ((await service.call('GET', path, { as })).body as { overdue: number }).overdue,
        ),
      );
    const before = [await overdue(behind), await overdue(ahead)];
    const today = new Date().toLocaleDateString('sv-SE', { timeZone: behind.timezone });
    await buildTask(service, people, { project, dueDate: today });
    await buildProject(service, people, { deadline: today });
    expect(await overdue(behind)).toEqual(before[0]);
    expect(await overdue(ahead)).toEqual(before[1]?.map((count) => count + 1));
  });

  it('rejects a malformed id and anonymous callers', async () => {
    expect((await service.call('GET', '/tasks/stats?userId=me', { as: people.admin })).status).toBe(400);
    expect((await service.call('GET', '/tasks/stats')).status).toBe(401);
  });
});
