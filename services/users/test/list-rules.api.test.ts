import { listUsers, NO_DEPARTMENT } from '@atrium/proto-events/http/users';
import { role, userStatus } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import { assertListRules, type ListedItem } from '@atrium/test-kit/assert-list-rules';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createMember, createRegisteredUser, startUsers, type TestUser } from './factories.ts';

// Compares the SQL of the lists with the rules by which browsers patch them (proto-events/src/responses/users.ts).

let service: TestService;
let viewers: TestUser[];

beforeAll(async () => {
  service = await startUsers();
  viewers = [await createRegisteredUser(service, { role: 'admin' }), await createMember(service)];
});
afterAll(() => service.close());

/** Few names, so that many are equal, at least after folding. */
const NAMES = [
  ...['Nguyễn', 'Nguyen', 'Đặng', 'Dang', 'Trần Thị', 'כהן', 'לֵוִי', 'לוי', 'İpek', 'Ipek', 'Işık', 'ığdır', 'ISIK'],
  ...['Ångström', 'angstrom', 'Müller', 'MÜLLER', 'Mueller', 'Straße', 'Strasse', 'Ørsted', 'Σωκράτης', 'Жуков'],
  ...['王', '王小明', '山田', 'やまだ', 'ヤマダ', '김', 'สมชาย', '😀', '𠮷田', 'ﬁ', '...', '-'],
  ...["O'Brien", 'O’Brien', 'obrien', '9', '10', '½', '€', '100%', 'z'],
  ...['van Dyk', 'Van  Dyk', 'Anne-Marie', 'Anne Marie', 'Annemarie', 'X Æ A-12'],
];
const NAME_CHANGES: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.normalize('NFD'),
  (name) => name.slice(0, 2),
  (name) => name.slice(1),
];
const LAST_LOGINS = [null, '2026-11-20T09:30:00.000Z', '2026-11-20T09:30:00.001Z', '2025-01-01T00:00:00.000Z'];

const name = fc.constantFrom(...NAMES);
const newUser = fc.record({
  firstName: name,
  lastName: name,
  role: fc.constantFrom(...role.options),
  status: fc.constantFrom(...userStatus.options),
  departmentNumber: fc.option(fc.nat()),
  lastLogin: fc.constantFrom(...LAST_LOGINS),
});
const search = fc
  .array(fc.oneof(fc.tuple(name, fc.constantFrom(...NAME_CHANGES)), fc.constant(undefined)), {
    minLength: 1,
    maxLength: 2,
  })
  .map((words) => words.map((word) => (word ? word[1](word[0]) : 'random.example')).join(' '));
const limit = fc.constantFrom('7', '100');
const sortFields = listUsers.query.shape.sortBy.unwrap().options;
const userQuery = fc.record(
  {
    search,
    role: fc.constantFrom(...role.options),
    status: fc.constantFrom(...userStatus.options),
    departmentNumber: fc.option(fc.nat()),
    userNumbers: fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
    sortBy: fc.constantFrom(...sortFields),
    sortOrder: fc.constantFrom('asc', 'desc'),
    limit,
  },
  { requiredKeys: [] },
);
const ORDERS: UserQuery[] = sortFields.flatMap((sortBy) => [{ sortBy }, { sortBy, sortOrder: 'desc' }]);
const searchQuery = fc.record({ search, limit }, { requiredKeys: [] });

type ValueOf<T> = T extends fc.Arbitrary<infer Value> ? Value : never;
type NewUser = ValueOf<typeof newUser>;
type UserQuery = ValueOf<typeof userQuery>;
type Rows = { userIds: string[]; departmentIds: string[] };

/** Replaces the users and departments of the previous run. Department names are unique after folding. */
async function insertRows(users: NewUser[], departmentNames: string[]): Promise<Rows> {
  await service.query(`delete from users where email like '%@random.example'`);
  await service.query('delete from departments');
  const departments = departmentNames.map((departmentName) => ({ id: newId(), name: departmentName }));
  await service.query(
    `insert into departments (id, name) select * from jsonb_to_recordset($1) as row (id text, name text) on conflict do nothing`,
    [JSON.stringify(departments)],
  );
  const departmentIds = (await service.query('select id from departments order by id')).map(({ id }) => String(id));
  const rows = users.map(({ departmentNumber, ...user }, index) => ({
    ...user,
    id: newId(),
    email: `u${index}@random.example`,
    departmentId: departmentNumber === null ? null : pick(departmentIds, departmentNumber),
  }));
  await service.query(
    `insert into users (id, email, first_name, last_name, role, status, department_id, last_login, join_date)
     select *, now() from jsonb_to_recordset($1) as row (id text, email text, "firstName" text, "lastName" text, role text,
       status text, "departmentId" text, "lastLogin" timestamptz)`,
    [JSON.stringify(rows)],
  );
  return { userIds: rows.map(({ id }) => id), departmentIds };
}

const pick = (values: readonly string[], number: number) => values[number % values.length] ?? '';
const pickIfDefined = (values: readonly string[], number: number | undefined) =>
  number === undefined ? undefined : pick(values, number);

function toKey(path: string, parameters: Record<string, string | undefined>): string {
  const entries = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${path}?${new URLSearchParams(entries)}`;
}

function toUserKey({ userIds, departmentIds }: Rows, query: UserQuery): string {
  const { userNumbers, departmentNumber, ...parameters } = query;
  return toKey('/users', {
    ...parameters,
    ids: userNumbers?.map((number) => pick(userIds, number)).join(),
    department: departmentNumber === null ? NO_DEPARTMENT : pickIfDefined(departmentIds, departmentNumber),
  });
}

async function fetchPage(as: TestUser, key: string): Promise<{ data: ListedItem[] }> {
  const { status, body } = await service.call('GET', key, { as });
  expect([key, status]).toEqual([key, 200]);
  // The list of project managers has no pages.
  const list = Array.isArray(body) ? { data: body, total: body.length, totalPages: 1 } : body;
  return list as { data: ListedItem[] };
}

async function assertRules(as: TestUser, itemsKey: string, keys: string[]): Promise<void> {
  const { data: items } = await fetchPage(as, itemsKey);
  await assertListRules({
    viewer: { userId: as._id, role: as.role },
    items,
    keys,
    fetchPage: (key) => fetchPage(as, key),
  });
}

it('every list of users and departments has the items and the order of its rules', async () => {
  const users = fc.array(newUser, { minLength: 40, maxLength: 90 });
  const departmentNames = fc.array(name, { minLength: 1, maxLength: 12 });
  const queries = fc.record({
    users: fc.array(userQuery, { minLength: 30, maxLength: 30 }),
    searches: fc.array(searchQuery, { minLength: 8, maxLength: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(users, departmentNames, queries, async (newUsers, names, query) => {
      const rows = await insertRows(newUsers, names);
      for (const as of viewers) {
        await assertRules(as, '/users?limit=100', [
          ...[{}, ...ORDERS, ...query.users].map((parameters) => toUserKey(rows, parameters)),
          ...query.searches.map((parameters) => toKey('/users/project-managers', { search: parameters.search })),
        ]);
        const departmentKeys = [{}, ...query.searches].map((parameters) => toKey('/departments', parameters));
        await assertRules(as, '/departments?limit=100', departmentKeys);
      }
    }),
    { numRuns: 5, endOnFailure: true },
  );
});
