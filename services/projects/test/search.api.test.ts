import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { searchProjects, searchTasks } from '@atrium/proto-events/http/search/projects';
import type { DirectoryUser } from '@atrium/proto-events/people';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createProject, createTask, startProjects, type TestUsers } from './factories.ts';

let service: TestService;
let users: TestUsers;
let commentId: string;

beforeAll(async () => {
  ({ service, users } = await startProjects());
  const harbor = await createProject(service, users, { name: 'Harbor crane', description: 'A crane for the quay' });
  await createProject(service, users, { name: 'Quay lights', description: 'Lamps along the harbor' });
  const project = harbor._id;
  const inspection = await createTask(service, users, {
    project,
    title: 'Inspect the hook',
    description: 'With Łukasz',
  });
  await createTask(service, users, { project, title: 'Order paint', description: 'For the hook and the boom' });
  await createTask(service, users, { project, title: 'Write the manual', description: '' });
  const { body } = await service.call('POST', `/tasks/${inspection._id}/comments`, {
    as: users.admin,
    body: { comment: 'The bearings were replaced in Kraków' },
  });
  commentId = (body as { _id: string })._id;
});
afterAll(() => service.close());

async function call<Response>(path: string, q: string, as = users.stranger): Promise<Response> {
  const { status, body } = await service.call('GET', `${path}?${new URLSearchParams({ q })}`, { as });
  expect(status).toBe(200);
  return body as Response;
}
const findProjects = (q: string) => call<ResponseOf<typeof searchProjects>>('/projects/search', q);
const findTasks = (q: string, as?: DirectoryUser) => call<ResponseOf<typeof searchTasks>>('/tasks/search', q, as);
const toText = (parts: readonly { text: string; match: boolean }[] | null) =>
  parts?.map(({ text, match }) => (match ? `[${text}]` : text)).join('') ?? null;
const summarize = ({ data }: { data: readonly Parameters<typeof pickTexts>[0][] }) => data.map(pickTexts);
const pickTexts = ({ title, snippet }: { title: Parts; snippet: Parts | null }) => [toText(title), toText(snippet)];
type Parts = { text: string; match: boolean }[];

describe('a search of projects', () => {
  it('finds names before descriptions, with what matches marked', async () => {
    expect(summarize(await findProjects('harbor'))).toEqual([
      ['[Harbor] crane', null],
      ['Quay lights', 'Lamps along the [harbor]'],
    ]);
  });

  it('tolerates typos in names if nothing matches', async () => {
    expect(summarize(await findProjects('habror'))).toEqual([['Harbor crane', null]]);
  });
});

describe('a search of tasks', () => {
  it('finds titles before descriptions, with what matches marked', async () => {
    expect(summarize(await findTasks('hook'))).toEqual([
      ['Inspect the [hook]', null],
      ['Order paint', 'For the [hook] and the boom'],
    ]);
  });

  it('finds comments, and names the comment', async () => {
    const found = await findTasks('krakow bearings');
    expect(summarize(found)).toEqual([['Inspect the hook', 'The [bearings] were replaced in [Kraków]']]);
    expect(found.data[0]).toMatchObject({ comment: commentId, project: { name: 'Harbor crane' } });
    expect(found.total).toBe(1);
  });

  it('does not find what an exclusion matches', async () => {
    expect(summarize(await findTasks('hook -boom'))).toEqual([['Inspect the [hook]', null]]);
  });

  it('finds those of the operators of a query', async () => {
    const count = async (q: string, as?: DirectoryUser) => (await findTasks(q, as)).total;
    // The directory of projects is filled in the background.
    await waitFor(async () => (await count('hook in:crane')) === 2, { description: 'the project to be known' });
    expect(await count('hook in:"Harbor crane" before:2020-01-01')).toBe(0);
    expect(await count('hook in:quay')).toBe(0);
    expect(await count('hook -in:quay')).toBe(2);
    expect(await count('hook -in:crane')).toBe(0);
    expect(await count('hook from:ada after:2020-01-01')).toBe(2);
    expect(await count('hook by:stan')).toBe(0);
    expect(await count('hook from:me', users.admin)).toBe(2);
    expect(await count('hook -from:ada')).toBe(0);
    expect(await count('bearings from:ada')).toBe(1);
  });

  it('lists the newest of operators alone', async () => {
    expect(summarize(await findTasks('from:ada'))).toEqual([
      ['Write the manual', null],
      ['Order paint', null],
      ['Inspect the hook', null],
    ]);
    expect(await findTasks('from:ada after:2020-01-01')).toMatchObject({ total: 3, more: false });
    expect(summarize(await findTasks('from:ada -boom -manual'))).toEqual([['Inspect the hook', null]]);
    for (const q of ['from:stan', 'before:2020-01-01', '-from:ada', 'has:file'])
      expect({ q, total: (await findTasks(q)).total }).toEqual({ q, total: 0 });
    expect((await findProjects('after:2020-01-01')).total).toBe(2);
    expect((await findProjects('in:crane')).total).toBe(0);
  });

  it('finds nothing for an operator that only messages have', async () => {
    expect((await findTasks('hook has:file')).total).toBe(0);
    expect((await findProjects('harbor in:crane')).total).toBe(0);
    expect(summarize(await findProjects('harbor from:paul'))).toHaveLength(2);
  });

  it('tolerates typos in titles if nothing matches', async () => {
    expect(summarize(await findTasks('maunal'))).toEqual([['Write the manual', null]]);
  });

  it('finds a changed comment no longer once it is deleted', async () => {
    const { data } = await findTasks('bearings');
    await service.call('DELETE', `/tasks/${data[0]?._id}/comments/${commentId}`, { as: users.admin });
    expect((await findTasks('bearings')).total).toBe(0);
  });

  const insertTasks = (title: string, first: number, last: number) =>
    service.query(
      `insert into tasks (id, project_id, title, description, status, priority, created_by, created_at)
       select lpad(to_hex(n), 24, '0'), p.id, $2 || n, '', 'todo', 'low', $1, now() + n * interval '1 second'
       from generate_series($3::int, $4::int) n, (select id from projects limit 1) p`,
      [users.admin._id, title, first, last],
    );

  it('ranks the newest of more matches than are counted', async () => {
    await insertTasks('Weld seam ', 1, 1_500);
    const { data, total, more } = await findTasks('weld');
    expect({ total, more }).toEqual({ total: 1_000, more: true });
    expect(data.map(({ title }) => toText(title))).toEqual(
      [1500, 1499, 1498, 1497, 1496].map((n) => `[Weld] seam ${n}`),
    );
    const listed = await findTasks('from:ada');
    expect({ ...listed, data: toText(listed.data[0]?.title ?? null) }).toEqual({
      data: 'Weld seam 1500',
      total: 1_000,
      more: true,
    });
  });

  it('finds the newest of a large table, whether they are among the newest tasks or not', async () => {
    await insertTasks('Bolt ', 1_501, 4_000);
    await service.query(`update pg_class set reltuples = 1000000 where oid = 'tasks'::regclass`);
    for (const [word, newest] of [
      ['weld', '[Weld] seam 1500'],
      ['bolt', '[Bolt] 4000'],
    ]) {
      const { data, ...found } = await findTasks(word ?? '');
      expect({ ...found, newest: toText(data[0]?.title ?? null) }).toEqual({
        total: 1_000,
        more: true,
        newest,
      });
    }
    expect(await findTasks('hook')).toMatchObject({ total: 2, more: false });
  });
});

it.each(['/projects/search', '/tasks/search'])('%s rejects long queries and anonymous callers', async (path) => {
  expect((await service.call('GET', `${path}?q=${'x'.repeat(501)}`, { as: users.member })).status).toBe(400);
  expect((await service.call('GET', `${path}?q=x`)).status).toBe(401);
});
