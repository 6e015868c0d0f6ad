import type { Task } from '@atrium/proto-events/http/tasks';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createProject, startProjects, type TestUsers } from './factories.ts';

let service: TestService;
let users: TestUsers;
let project: string;

beforeAll(async () => {
  ({ service, users } = await startProjects());
  ({ _id: project } = await createProject(service, users));
  await service.query(
    `insert into tasks (id, project_id, title, description, status, priority, due_date, created_by, created_at)
     select lpad(to_hex(n), 24, '0'), $1, 'Far ' || n, '', (array['todo', 'in-progress', 'review', 'done'])[1 + n % 4],
            (array['urgent', 'high', 'medium', 'low'])[1 + n % 3], case when n % 5 > 0 then now() + (n % 90 - 45) * interval '7 hours' end,
            $2, now() - n * interval '1 minute'
     from generate_series(1, 1300) n`,
    [project, users.admin._id],
  );
});
afterAll(() => service.close());

type List = { data: Task[]; total: number; more?: true };
const listIds = async (query: string) => {
  const { body } = await service.call('GET', `/tasks?${query}`, { as: users.member });
  const { data, total, more } = body as List;
  return { ids: data.map(({ _id }) => _id), total, more };
};
const NEWEST = 'created_at desc, id desc';
const PRIORITY = `array_position(array['urgent', 'high', 'medium', 'low'], priority), due_date, id`;

describe('a deep page of tasks', () => {
  it.each([
    ['', 'true', NEWEST],
    ['search=far', 'true', NEWEST],
    ['search=fa+1&status=todo', `status = 'todo' and title like 'Far 1%'`, NEWEST],
    ['sort=priority', 'true', PRIORITY],
    ['status=todo,done&sort=priority', `status in ('todo', 'done')`, PRIORITY],
  ])('is correct with %s, even right after a change, and counts a search up to 1,000', async (query, where, order) => {
    const selectIds = async () =>
      (await service.query(`select id from tasks where ${where} order by ${order}`)).map(({ id }) => id);
    const compare = async (page: number, limit: number) => {
      const allIds = await selectIds();
      const isLimited = query.includes('search') && allIds.length > 1_000;
      const expected = {
        ids: allIds.slice((page - 1) * limit, page * limit),
        total: isLimited ? 1_000 : allIds.length,
        more: isLimited ? true : undefined,
      };
      expect(await listIds(`${query}&limit=${limit}&page=${page}`)).toEqual(expected);
    };
    for (const [page, limit] of [
      [1, 10],
      [12, 10],
      [14, 75],
      [13, 100],
      [99, 100],
    ] as const)
      await compare(page, limit);
    const [deletedId = ''] = await selectIds();
    expect((await service.call('DELETE', `/tasks/${deletedId}`, { as: users.admin })).status).toBe(204);
    await compare(12, 10);
    const [changedId = ''] = await selectIds();
    const body = { priority: 'low', status: 'review' };
    expect((await service.call('PATCH', `/tasks/${changedId}`, { as: users.admin, body })).status).toBe(200);
    await compare(12, 10);
  });

  it('is correct for projects as well', async () => {
    await service.query(
      `insert into projects (id, name, description, priority, status, manager_id, created_by, updated_at)
       select 'a' || lpad(to_hex(n), 23, '0'), 'Wide ' || n, '', 'high', case when n % 3 = 0 then 'on-hold' else 'in-progress' end,
              $1, $1, now() - n * interval '1 minute'
       from generate_series(1, 400) n`,
      [users.admin._id],
    );
    for (const [query, where] of [
      ['', 'true'],
      ['search=wide', `name like 'Wide%'`],
      ['status=in-progress', `status = 'in-progress'`],
    ] as const) {
      const compare = async (page: number) => {
        const rows = await service.query(`select id from projects where ${where} order by updated_at desc, id desc`);
        const { body } = await service.call('GET', `/projects?${query}&page=${page}`, { as: users.member });
        const { data, total } = body as { data: { _id: string }[]; total: number };
        const expected = rows.map(({ id }) => id).slice((page - 1) * 10, page * 10);
        expect([data.map(({ _id }) => _id), total]).toEqual([expected, rows.length]);
        return expected;
      };
      await compare(1);
      await compare(99);
      const [changedId] = await compare(12);
      const change = { as: users.admin, body: { description: 'Moves to the front' } };
      expect((await service.call('PATCH', `/projects/${changedId}`, change)).status).toBe(200);
      await compare(12);
      await compare(1);
    }
  });

  it('is consistent with the overdue count after every change', async () => {
    const expectOverdueCount = async () => {
      const [row] = await service.query(
        `select count(*)::int as id from tasks
         where status <> 'done' and (due_date at time zone 'UTC')::date < (now() at time zone 'UTC')::date`,
      );
      const { body } = await service.call('GET', '/tasks/stats', { as: users.member });
      expect((body as { overdue: number }).overdue).toBe(Number(row?.id));
    };
    await expectOverdueCount();
    await service.query(`update tasks set due_date = due_date - interval '9 days' where id like '%1'`);
    await expectOverdueCount();
    await service.query(`update tasks set status = 'done' where id like '%2'`);
    await service.query(`update tasks set due_date = null where id like '%3'`);
    await service.query(`delete from tasks where id like '%4'`);
    await expectOverdueCount();
  });
});

it.each(['/projects', '/projects/my-projects', '/tasks', '/tasks/my-tasks', '/tasks/delegated', '/tasks/project/:id'])(
  '%s rejects a page beyond the maximum',
  async (path) => {
    const getPage = (page: number) =>
      service.call('GET', `${path.replace(':id', project)}?limit=100&page=${page}`, { as: users.member });
    expect((await getPage(100)).status).toBe(200);
    const { status, body } = await getPage(101);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ path: 'query.page', message: 'Narrow the search to see more' }] });
  },
);
