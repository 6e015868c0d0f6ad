import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { searchUsers } from '@atrium/proto-events/http/search/users';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createRegisteredUser, startUsers, type TestUser } from './factories.ts';

let service: TestService;
let admin: TestUser;

beforeAll(async () => {
  service = await startUsers();
  admin = await createRegisteredUser(service, { role: 'admin', firstName: 'Ada', lastName: 'Zuse' });
  for (const [firstName, lastName, email] of [
    ['John', 'Smith', 'js@example.org'],
    ['Thùy', 'Nguyễn', 'thuy@example.org'],
    ['Dan', 'Johnson', 'dan@example.org'],
    ['Noam', 'לוי', 'smithy@elsewhere.example'],
  ] as const)
    await createRegisteredUser(service, { firstName, lastName, email });
});
afterAll(() => service.close());

async function search(q: string, limit = '5') {
  const { status, body } = await service.call('GET', `/users/search?${new URLSearchParams({ q, limit })}`, {
    as: admin,
  });
  expect(status).toBe(200);
  return body as ResponseOf<typeof searchUsers>;
}
const findNames = async (q: string) => (await search(q)).data.map(({ user }) => `${user.firstName} ${user.lastName}`);

it.each([
  ['nguyen', ['Thùy Nguyễn']],
  ['NGUYỄN th', ['Thùy Nguyễn']],
  ['לוי', ['Noam לוי']],
  ['smith', ['John Smith', 'Noam לוי']],
  ['smith -elsewhere', ['John Smith']],
  ['"john smith"', ['John Smith']],
  ['john', ['Dan Johnson', 'John Smith']],
])('finds users by words of names and addresses, names first: %s', async (q, names) => {
  expect(await findNames(q)).toEqual(names);
});

it.each([
  ['jonh smith', 'John Smith'],
  ['smiht', 'John Smith'],
  ['nguyne', 'Thùy Nguyễn'],
  ['johnsn', 'Dan Johnson'],
])('tolerates typos in names if nothing matches: %s', async (q, name) => {
  expect((await findNames(q))[0]).toBe(name);
});

it.each(['xylophone', '', '?', 'from:me smith', '-smith'])('finds nobody for %j', async (q) => {
  expect(await search(q)).toEqual({ data: [], total: 0, more: false });
});

it('marks what matches, and the address if the name does not', async () => {
  const { data, total } = await search('smith');
  expect(total).toBe(2);
  expect(data.map(({ title, snippet }) => ({ title, snippet }))).toEqual([
    {
      title: [
        { text: 'John ', match: false },
        { text: 'Smith', match: true },
      ],
      snippet: null,
    },
    {
      title: [{ text: 'Noam לוי', match: false }],
      snippet: [
        { text: 'smith', match: true },
        { text: 'y@elsewhere.example', match: false },
      ],
    },
  ]);
});

it('counts all matches and returns the requested number', async () => {
  const { data, total, more } = await search('example', '2');
  expect({ length: data.length, total, more }).toEqual({ length: 2, total: 5, more: false });
});

it('rejects long queries and anonymous callers', async () => {
  expect((await service.call('GET', `/users/search?q=${'x'.repeat(501)}`, { as: admin })).status).toBe(400);
  expect((await service.call('GET', '/users/search?q=x')).status).toBe(401);
});
