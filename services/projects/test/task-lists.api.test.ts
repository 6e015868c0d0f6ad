import type { Task } from '@atrium/proto-events/http/tasks';
import { buildUser } from '@atrium/test-kit/build-user';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addDaysToToday, createProject, createTask, startProjects, type TestUsers } from './factories.ts';

const UNKNOWN = 'f'.repeat(24);
let service: TestService;
let users: TestUsers;
let project: string;
let otherProject: string;

type List = { data: Task[]; total: number; page: number; totalPages: number };

/** [title, status, priority, due, assigned to the member], in order of creation. */
const TASKS = [
  ['Alpha', 'todo', 'low', '2083-03-01', true],
  ['Beta', 'todo', 'urgent', null, true],
  ['Gamma', 'in-progress', 'urgent', '2083-01-01', false],
  ['Delta', 'review', 'high', '2020-01-01', true],
  ['Epsilon', 'done', 'high', '2020-01-01', true],
  ['Zeta', 'done', 'medium', null, false],
] as const;

beforeAll(async () => {
  ({ service, users } = await startProjects());
  ({ _id: project } = await createProject(service, users));
  ({ _id: otherProject } = await createProject(service, users));
  for (const [title, status, priority, dueDate, isMine] of TASKS) {
    const assignedTo = isMine ? users.member._id : null;
    await createTask(service, users, { project, title, status, priority, dueDate, assignedTo });
  }
  await createTask(service, users, { project: otherProject, title: 'Elsewhere', assignedTo: users.member._id });
});
afterAll(() => service.close());

const list = async (path: string): Promise<List> => {
  const { status, body } = await service.call('GET', path, { as: users.member });
  expect([path, status]).toEqual([path, 200]);
  return body as List;
};
const listTitles = async (path: string) => {
  const { data, total } = await list(path);
  expect(total).toBe(data.length);
  return data.map(({ title }) => title);
};

describe.each(['/tasks', '/tasks/my-tasks', 'of the project'])('%s', (scope) => {
  const path = () => (scope === 'of the project' ? `/tasks/project/${project}` : scope);
  /** The unfiltered list, newest first. */
  const getAllTitles = () => {
    const projectTitles = TASKS.filter(([, , , , isMine]) => isMine || scope !== '/tasks/my-tasks').map(
      ([title]) => title,
    );
    return [...projectTitles, ...(scope === 'of the project' ? [] : ['Elsewhere'])].reverse();
  };
  const pickTitles = (...titles: string[]) => getAllTitles().filter((title) => titles.includes(title));

  it('lists newest first', async () => {
    expect(await listTitles(path())).toEqual(getAllTitles());
  });

  it('filters by statuses and priorities, and ignores unknown values', async () => {
    expect(await listTitles(`${path()}?status=done`)).toEqual(pickTitles('Epsilon', 'Zeta'));
    expect(await listTitles(`${path()}?status=done,review,nonsense`)).toEqual(pickTitles('Delta', 'Epsilon', 'Zeta'));
    expect(await listTitles(`${path()}?priority=urgent,high&status=todo,review`)).toEqual(pickTitles('Beta', 'Delta'));
    expect(await listTitles(`${path()}?status=nonsense`)).toEqual(getAllTitles());
  });

  it('sorts by priority, then by due date with missing dates last', async () => {
    const titlesInOrder = ['Gamma', 'Beta', 'Delta', 'Epsilon', 'Elsewhere', 'Zeta', 'Alpha'];
    const sortedTitles = await listTitles(`${path()}?sort=priority`);
    // Equal due dates are ordered by id.
    const mergeTie = (title: string) => (title === 'Epsilon' ? 'Delta' : title);
    const expected = titlesInOrder.filter((title) => getAllTitles().includes(title));
    expect(sortedTitles.filter((title) => title !== 'Elsewhere' && title !== 'Zeta').map(mergeTie)).toEqual(
      expected.filter((title) => title !== 'Elsewhere' && title !== 'Zeta').map(mergeTie),
    );
    expect(await listTitles(`${path()}?sort=priority&priority=urgent&status=todo,in-progress`)).toEqual(
      expected.filter((title) => ['Gamma', 'Beta'].includes(title)),
    );
  });

  it('rejects an unknown order', async () => {
    const response = await service.call('GET', `${path()}?sort=oldest`, { as: users.member });
    expect(response).toMatchObject({ status: 400, body: { errors: [{ path: 'query.sort' }] } });
  });

  it('searches title and description literally, ignoring case, even for two letters', async () => {
    expect(await listTitles(`${path()}?search=ELTA`)).toEqual(pickTitles('Delta'));
    expect(await listTitles(`${path()}?search=et`)).toEqual(pickTitles('Beta', 'Zeta'));
    expect(await listTitles(`${path()}?search=%25`)).toEqual([]);
    expect(await listTitles(`${path()}?search=eta&status=done`)).toEqual(pickTitles('Zeta'));
    expect(await listTitles(`${path()}?search=eta&sort=priority`)).toEqual(pickTitles('Beta', 'Zeta').reverse());
  });

  it('paginates with the filtered total, and returns an empty page past the end', async () => {
    const firstPage = await list(`${path()}?limit=2`);
    const secondPage = await list(`${path()}?limit=2&page=2`);
    expect([...firstPage.data, ...secondPage.data].map(({ title }) => title)).toEqual(getAllTitles().slice(0, 4));
    expect(firstPage).toMatchObject({
      total: getAllTitles().length,
      totalPages: Math.ceil(getAllTitles().length / 2),
      page: 1,
    });
    const pagePastEnd = await list(`${path()}?limit=2&page=90&status=done`);
    expect(pagePastEnd).toMatchObject({ data: [], total: pickTitles('Epsilon', 'Zeta').length });
    expect(await list(`${path()}?search=eta&page=90`)).toMatchObject({
      data: [],
      total: pickTitles('Beta', 'Zeta').length,
    });
  });
});

describe('GET /tasks', () => {
  it('filters by project and assignee, alone and combined', async () => {
    expect(await listTitles(`/tasks?project=${otherProject}`)).toEqual(['Elsewhere']);
    expect(await listTitles(`/tasks?assignedTo=${users.member._id}&project=${project}`)).toHaveLength(4);
    const filteredByBoth = `/tasks?assignedTo=${users.member._id}&project=${project}`;
    expect(await listTitles(`${filteredByBoth}&status=done,todo&sort=priority`)).toEqual(['Beta', 'Epsilon', 'Alpha']);
    expect(await listTitles(`${filteredByBoth}&search=alph`)).toEqual(['Alpha']);
    expect(await listTitles(`/tasks?project=${UNKNOWN}`)).toEqual([]);
  });

  it('returns only the requested ids', async () => {
    const { body } = await service.call('GET', `/tasks?project=${project}&limit=2`, { as: users.member });
    const [firstTask, secondTask] = (body as List).data;
    const ids = `${secondTask?._id},${UNKNOWN},${firstTask?._id}`;
    const { body: page } = await service.call('GET', `/tasks?ids=${ids}`, { as: users.member });
    expect(page).toMatchObject({ data: [firstTask, secondTask], total: 2 });
    expect(await listTitles(`/tasks?ids=${ids}&project=${otherProject}`)).toEqual([]);
    expect(await listTitles(`/tasks/project/${project}?ids=${firstTask?._id}`)).toHaveLength(1);
    expect(await listTitles('/tasks?ids=nonsense')).toEqual([]);
  });

  it('includes the abilities of the caller for each task', async () => {
    const { body } = await service.call('GET', '/tasks?limit=1', { as: users.stranger });
    expect((body as List).data[0]).toMatchObject({
      abilities: { update: false, updateStatus: false, comment: false, delete: false },
      denialReasons: { comment: 'Only project members can comment on its tasks' },
    });
  });

  it('rejects a malformed user or project, and anonymous callers', async () => {
    expect((await service.call('GET', '/tasks?project=nonsense', { as: users.admin })).status).toBe(400);
    expect((await service.call('GET', '/tasks?assignedTo=me', { as: users.admin })).status).toBe(400);
    expect((await service.call('GET', '/tasks')).status).toBe(401);
    expect((await service.call('GET', '/tasks/my-tasks')).status).toBe(401);
    expect((await service.call('GET', '/tasks/delegated')).status).toBe(401);
  });
});

describe('the tasks of a user', () => {
  it('by due date are the earliest first, then the most urgent, and those without a date last', async () => {
    const rank = (title: string) => ['Delta', 'Epsilon', 'Alpha', 'Beta', 'Elsewhere'].indexOf(title);
    const titles = await listTitles('/tasks/my-tasks?sort=due');
    // Delta and Epsilon have the same date and priority.
    expect(titles.slice(0, 2).toSorted((a, b) => rank(a) - rank(b))).toEqual(['Delta', 'Epsilon']);
    expect(titles.slice(2)).toEqual(['Alpha', 'Beta', 'Elsewhere']);
  });

  it('that they delegated are those that they created and that are assigned to others', async () => {
    const delegated = async (as: keyof TestUsers, query = '') => {
      const { body } = await service.call('GET', `/tasks/delegated${query}`, { as: users[as] });
      return (body as List).data.map(({ title }) => title);
    };
    expect(await delegated('admin')).toEqual(['Elsewhere', 'Epsilon', 'Delta', 'Beta', 'Alpha']);
    expect(await delegated('admin', '?status=todo,review&sort=due')).toEqual(['Delta', 'Alpha', 'Beta', 'Elsewhere']);
    expect(await delegated('member')).toEqual([]);
  });
});

describe('GET /tasks/project/:id', () => {
  it('filters by assignee', async () => {
    expect(await listTitles(`/tasks/project/${project}?assignedTo=${users.member._id}&status=todo`)).toEqual([
      'Beta',
      'Alpha',
    ]);
  });

  it('responds with 404 for an unknown or malformed project, and 401 to anonymous callers', async () => {
    expect((await service.call('GET', `/tasks/project/${UNKNOWN}`, { as: users.member })).status).toBe(404);
    expect((await service.call('GET', '/tasks/project/nonsense', { as: users.member })).status).toBe(404);
    expect((await service.call('GET', `/tasks/project/${project}`)).status).toBe(401);
  });
});

describe('the task search', () => {
  it.each([
    'größe',
    'GROSSE',
    'ПРОЕКТ ubersicht',
    'U\u0308bersicht',
    'οδοσ',
    '议记',
    'ÜBERSICHT',
    'проект',
    'ΟΔΟΣ',
    '会议记录',
    'übersicht проект',
    '100%_',
  ])('finds words in any script, ignoring case: %s', async (search) => {
    const { _id: searchedProject } = await createProject(service, users);
    await createTask(service, users, {
      project: searchedProject,
      title: `GRÖSSE, Größe: Übersicht ПРОЕКТ ΟΔΟΣ 会议记录 100%_`,
    });
    const { body } = await service.call(
      'GET',
      `/tasks/project/${searchedProject}?search=${encodeURIComponent(search)}`,
      {
        as: users.member,
      },
    );
    expect((body as { total: number }).total).toBe(1);
    await service.call('DELETE', `/projects/${searchedProject}`, { as: users.admin });
  });
});

describe('GET /tasks/stats', () => {
  const readStats = async (query: string) =>
    (await service.call('GET', `/tasks/stats${query}`, { as: users.stranger })).body;

  it('counts tasks by status and overdue tasks, for all tasks, a project, a user, or both', async () => {
    const projectCounts = { total: 6, todo: 2, inProgress: 1, review: 1, done: 2, overdue: 1 };
    const userCountsInProject = { total: 4, todo: 2, inProgress: 0, review: 1, done: 1, overdue: 1 };
    expect(await readStats('')).toEqual({ ...projectCounts, total: 7, todo: 3 });
    expect(await readStats(`?projectId=${project}`)).toEqual(projectCounts);
    expect(await readStats(`?userId=${users.member._id}`)).toEqual({ ...userCountsInProject, total: 5, todo: 3 });
    expect(await readStats(`?userId=${users.member._id}&projectId=${project}`)).toEqual(userCountsInProject);
    const zeroCounts = { total: 0, todo: 0, inProgress: 0, review: 0, done: 0, overdue: 0 };
    expect(await readStats(`?userId=${users.stranger._id}`)).toEqual(zeroCounts);
    expect(await readStats(`?projectId=${UNKNOWN}&userId=${UNKNOWN}`)).toEqual(zeroCounts);
  });

  it('counts tasks due yesterday as overdue, but not those due today or tomorrow', async () => {
    const { _id: projectWithDates } = await createProject(service, users, { teamMembers: [users.colleague._id] });
    const userId = users.colleague._id;
    const queries = [
      '',
      `?projectId=${projectWithDates}`,
      `?userId=${userId}`,
      `?userId=${userId}&projectId=${projectWithDates}`,
    ];
    const countOverdue = () =>
      Promise.all(queries.map(async (query) => ((await readStats(query)) as { overdue: number }).overdue));
    const countsBefore = await countOverdue();
    for (const dueDate of [addDaysToToday(0), addDaysToToday(1), `${addDaysToToday(0)}T00:00:01Z`]) {
      await createTask(service, users, { project: projectWithDates, assignedTo: userId, dueDate });
      expect([dueDate, await countOverdue()]).toEqual([dueDate, countsBefore]);
    }
    await createTask(service, users, { project: projectWithDates, assignedTo: userId, dueDate: addDaysToToday(-1) });
    expect(await countOverdue()).toEqual(countsBefore.map((count) => count + 1));
  });

  it('uses the local date of the caller', async () => {
    // The clocks of these zones are 25 hours apart, so their dates always differ.
    const [userBehind, userAhead] = ['Pacific/Pago_Pago', 'Pacific/Kiritimati'].map((timezone) =>
      buildUser({ timezone }),
    );
    if (!userBehind || !userAhead) throw new Error('Expected two users');
    service.addToDirectory(userBehind, userAhead);
    const countOverdue = (as: typeof userAhead) =>
      Promise.all(
        ['/tasks/stats', `/tasks/stats?projectId=${project}`, '/projects/stats'].map(
          async (path) => ((await service.call('GET', path, { as })).body as { overdue: number }).overdue,
        ),
      );
    const countsBefore = [await countOverdue(userBehind), await countOverdue(userAhead)];
    const today = new Date().toLocaleDateString('sv-SE', { timeZone: userBehind.timezone });
    await createTask(service, users, { project, dueDate: today });
    await createProject(service, users, { deadline: today });
    expect(await countOverdue(userBehind)).toEqual(countsBefore[0]);
    expect(await countOverdue(userAhead)).toEqual(countsBefore[1]?.map((count) => count + 1));
  });

  it('rejects a malformed id and anonymous callers', async () => {
    expect((await service.call('GET', '/tasks/stats?userId=me', { as: users.admin })).status).toBe(400);
    expect((await service.call('GET', '/tasks/stats')).status).toBe(401);
  });
});
