import type { User } from '@atrium/proto-events/people';
import { searchNeedles } from '@atrium/proto-events/text/search';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRegisteredUser, startUsers, type TestUser } from './factories.ts';

const USER_COUNT = 2_300;
const DESIGN = '000000000000000000000d02';
const LAST_NAME = 'search_text(last_name) collate "C"';
const FIRST_NAME = 'search_text(first_name) collate "C"';
let service: TestService;
let admin: TestUser;

beforeAll(async () => {
  service = await startUsers();
  admin = await createRegisteredUser(service, { role: 'admin', firstName: 'Ada', lastName: 'Zuse' });
  // Names repeat and differ in case and accents; few users are inactive, and nearly all are in one department.
  await service.query(`insert into users (id, email, first_name, last_name, role, status, department_id, join_date)
     select lpad(to_hex(n), 24, '0'), 'person' || n || '@many.example', (array['Ann', 'ann', 'Ánna', 'Bob'])[1 + n % 4],
            (array['Miller', 'miller', 'Möller', 'Smith', 'van Dyk'])[1 + n % 5] || case when n % 3 = 0 then '' else n::text end,
            case when n % 50 = 0 then 'project_manager' else 'member' end, case when n % 20 = 0 then 'inactive' else 'active' end,
            case when n % 10 = 0 then null when n % 77 = 0 then '${DESIGN}' else '000000000000000000000d01' end,
            now() - (n % 100) * interval '1 day'
     from generate_series(1, ${USER_COUNT}) n`);
  await service.query(`update users set last_login = join_date where status = 'active' and email like '%many.example'`);
});
afterAll(() => service.close());

type List = { data: User[]; total: number; more?: true; totalPages: number };
const listUsers = async (query: string) => (await service.call('GET', `/users?${query}`, { as: admin })).body as List;
const toIds = (page: List) => page.data.map(({ _id }) => _id);

const FILTERS = [
  '',
  'role=project_manager',
  'status=inactive',
  'role=member&status=active',
  `department=${DESIGN}`,
  `department=${DESIGN}&role=member`,
  'department=000000000000000000000d01&status=inactive',
  'department=000000000000000000000d01&status=active&role=member',
  'search=mill',
  'search=n',
  'search=MÖLL&status=active',
  'search=many.example&role=member&department=000000000000000000000d01',
  'department=none',
  'department=none&role=project_manager',
  'department=none&search=mill',
];

/** A search counts up to 1,000. */
const toExpectedTotal = (filter: string, { length }: string[]) =>
  filter.includes('search') ? Math.min(1_000, length) : length;

async function selectIds(query: string): Promise<string[]> {
  const params = new URLSearchParams(query);
  const rows = await service.query(
    `select id from users where deleted_at is null and ($1::text is null or role = $1) and ($2::text is null or status = $2)
       and ($3::text is null or coalesce(department_id, 'none') = $3)
       and not exists (select from unnest($4::text[]) as needle where strpos(search, needle) = 0)
     order by ${LAST_NAME}, ${FIRST_NAME}, id`,
    [...['role', 'status', 'department'].map((name) => params.get(name)), searchNeedles(params.get('search') ?? '')],
  );
  return rows.map(({ id }) => String(id));
}

describe('GET /users', () => {
  it.each(FILTERS)('returns every page and the correct total with %s', async (filter) => {
    const expectedIds = await selectIds(filter);
    const pageCount = Math.ceil(expectedIds.length / 100);
    const pages = await Promise.all(
      Array.from({ length: pageCount + 1 }, (_, index) => listUsers(`${filter}&limit=100&page=${index + 1}`)),
    );
    expect(pages.flatMap(toIds)).toEqual(expectedIds);
    const total = toExpectedTotal(filter, expectedIds);
    for (const page of pages) expect(page).toMatchObject({ total, totalPages: Math.ceil(total / 100) });
    expect(pages[0]?.more).toBe(total < expectedIds.length ? true : undefined);
  });

  it.each([
    ['name', FIRST_NAME],
    ['role', 'role'],
    ['department', '(select search_text(name) collate "C" from departments d where d.id = department_id)'],
    ['status', 'status'],
    ['lastLogin', 'last_login'],
    ['lastName', LAST_NAME],
  ])('sorts by %s in both directions across pages, missing values last', async (sortBy, expression) => {
    for (const [sortOrder, direction] of [
      ['asc', 'asc nulls last'],
      ['desc', 'desc nulls last'],
    ]) {
      const names = [LAST_NAME, FIRST_NAME, 'id'].map((name) => `${name} ${direction}`);
      const rows = await service.query(
        `select id from users where deleted_at is null and email like '%many.example'
         order by ${expression} ${direction}, ${names.join(', ')} limit 20 offset 20`,
        [],
      );
      const page = await listUsers(`search=many.example&limit=20&page=2&sortBy=${sortBy}&sortOrder=${sortOrder}`);
      expect(toIds(page)).toEqual(rows.map(({ id }) => String(id)));
    }
    expect((await service.call('GET', '/users?sortBy=bio', { as: admin })).status).toBe(400);
  });

  it('does not sort by last sign-in for members, who cannot see it', async () => {
    const member = await createRegisteredUser(service, { role: 'member', firstName: 'Mia', lastName: 'Zander' });
    const listAsMember = async (query: string) =>
      toIds((await service.call('GET', `/users?search=many.example&limit=20${query}`, { as: member })).body as List);
    expect(await listAsMember('&sortBy=lastLogin&sortOrder=desc')).toEqual(await listAsMember(''));
  });

  it.each(FILTERS)('reflects a change immediately, even on deep pages, with %s', async (filter) => {
    const readPage = async () => listUsers(`${filter}&limit=10&page=12`);
    await readPage();
    const [changedId = ''] = await selectIds(filter);
    await service.call('PATCH', `/users/${changedId}`, { as: admin, body: { lastName: 'Zzz', firstName: 'Bob' } });
    await service.call('DELETE', `/users/${(await selectIds(filter)).at(-2)}`, { as: admin });
    const expectedIds = await selectIds(filter);
    const { total, ...page } = await readPage();
    expect(toIds({ total, ...page })).toEqual(expectedIds.slice(110, 120));
    expect(total).toBe(toExpectedTotal(filter, expectedIds));
  });

  it('limits the list of project managers, and finds the others by search', async () => {
    const selectManagerIds = async (search: string) => {
      const rows = await service.query(
        `select id from users where deleted_at is null and status = 'active' and role in ('admin', 'project_manager')
           and not exists (select from unnest($1::text[]) as needle where strpos(search, needle) = 0)
         order by ${LAST_NAME}, ${FIRST_NAME}, id`,
        [searchNeedles(search)],
      );
      return rows.map(({ id }) => String(id));
    };
    const listManagerIds = async (query: string) => {
      const { body } = await service.call('GET', `/users/project-managers?${query}`, { as: admin });
      return (body as { _id: string }[]).map(({ _id }) => _id);
    };
    await service.query(`insert into users (id, email, first_name, last_name, role, status, join_date)
       select lpad(to_hex(100000 + n), 24, 'a'), 'manager' || n || '@many.example', 'Ann', 'Q' || n || case n % 3 when 0 then 'Möll' else '' end,
              case n % 4 when 0 then 'admin' else 'project_manager' end, case n % 7 when 0 then 'inactive' else 'active' end, now()
       from generate_series(1, 400) n`);
    const allIds = await selectManagerIds('');
    expect(allIds.length).toBeGreaterThan(300);
    expect(await listManagerIds('')).toEqual(allIds.slice(0, 100));
    for (const limit of ['5000', '0', 'many'])
      expect(await listManagerIds(`limit=${limit}`)).toEqual(allIds.slice(0, 100));
    expect(await listManagerIds('limit=7&search=')).toEqual(allIds.slice(0, 7));
    const [firstId = '', ...otherIds] = await selectManagerIds('MÖLL');
    expect(await listManagerIds('limit=100&search=MÖLL')).toEqual([firstId, ...otherIds].slice(0, 100));
    await service.call('PATCH', `/users/${firstId}`, { as: admin, body: { role: 'member' } });
    expect(await listManagerIds('limit=20&search=möll')).toEqual(otherIds.slice(0, 20));
  });

  it('keeps the totals consistent with the rows after every kind of change', async () => {
    await service.query(`update users set status = 'inactive', role = 'member' where id like '%1' and role <> 'admin'`);
    await service.query(`update users set department_id = null where id like '%2'`);
    await service.query(`delete from users where id like '%3' and role <> 'admin'`);
    await service.query(`update users set join_date = now() - interval '1 year' where id like '%4'`);
    const [row] =
      await service.query(`select count(*)::int as total, (count(*) filter (where role = 'admin'))::int as admins,
              (count(*) filter (where role = 'project_manager'))::int as "projectManagers",
              (count(*) filter (where role = 'member'))::int as members,
              (count(*) filter (where status = 'active'))::int as active,
              (count(*) filter (where status = 'inactive'))::int as inactive,
              (count(*) filter (where join_date >= date_trunc('month', now(), 'UTC')))::int as "newThisMonth"
       from users where deleted_at is null`);
    expect((await service.call('GET', '/users/stats/overview', { as: admin })).body).toEqual(row);
    const [employees] = await service.query(
      'select count(*)::int as employees from users where deleted_at is null and department_id is not null',
    );
    expect((await service.call('GET', '/departments/stats', { as: admin })).body).toMatchObject(employees ?? {});
  });

  it('reorders users when a name is only split differently', async () => {
    const anna = await createRegisteredUser(service, { firstName: 'Anna Maria', lastName: 'Schmidtlein' });
    const ben = await createRegisteredUser(service, { firstName: 'Ben', lastName: 'Richter Schmidtlein' });
    const findIds = async () => toIds(await listUsers('search=schmidtlein'));
    expect(await findIds()).toEqual([ben._id, anna._id]);
    const body = { firstName: 'Anna', lastName: 'Maria Schmidtlein' };
    await service.call('PATCH', `/users/${anna._id}`, { as: admin, body });
    expect(await findIds()).toEqual([anna._id, ben._id]);
  });
});
