import { projectCreated } from '@atrium/proto-events/events/projects';
import type { FoundDocument } from '@atrium/proto-events/http/documents';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDocument, type Started, startDocuments } from './factories.ts';
import { makeXlsx } from './files/make-office.ts';
import { makePdf } from './files/make-pdf.ts';
import { createIndexedDocument, searchDocuments } from './text-search.ts';

let started: Started;
const project = newId();
beforeAll(async () => {
  started = await startDocuments();
  const { service, people } = started;
  const projectData = {
    projectId: project,
    name: 'Portal',
    status: 'in-progress',
    managerId: people.manager._id,
    version: 1,
  };
  const { uploader, friend } = people;
  await service.deliver(projectCreated, { ...projectData, memberIds: [uploader._id], createdBy: people.admin._id });
  const sheet = new Uint8Array(await makeXlsx('Sheet', [['Umsatz', 1]]));
  const publicFields = { visibility: 'public' };
  await createIndexedDocument(started, {
    as: uploader,
    fileName: 'Bericht.txt',
    content: 'Der Überblick',
    fields: publicFields,
  });
  await createIndexedDocument(started, {
    as: uploader,
    fileName: 'Zahlen.xlsx',
    content: sheet,
    fields: { ...publicFields, tags: 'a,Zahl' },
  });
  await createIndexedDocument(started, {
    as: friend,
    fileName: 'Été.pdf',
    content: new Uint8Array(makePdf([['Umsatz']])),
    fields: publicFields,
  });
  await createIndexedDocument(started, {
    as: uploader,
    fileName: 'plan.md',
    content: '# P',
    fields: { visibility: 'team', project },
  });
  await createIndexedDocument(started, { as: friend, fileName: 'mine.txt', content: 'Überall nur mein' });
});
afterAll(() => started.service.close());

async function list(query: string, as: 'uploader' | 'friend' | 'admin' | 'stranger' = 'admin') {
  const { status, body } = await started.service.call('GET', `/documents?${query}`, { as: started.people[as] });
  const { data = [], total } = body as { data?: FoundDocument[]; total: number };
  return { status, total, names: data.map(({ name }) => name) };
}

describe('GET /documents', () => {
  it.each([
    ['kind=spreadsheet', ['Zahlen.xlsx']],
    ['kind=pdf,text', ['mine.txt', 'plan.md', 'Été.pdf', 'Bericht.txt']],
    ['kind=nonsense', ['mine.txt', 'plan.md', 'Été.pdf', 'Zahlen.xlsx', 'Bericht.txt']],
    ['visibility=private', ['mine.txt']],
    ['visibility=team,private', ['mine.txt', 'plan.md']],
    ['tag=Zahl', ['Zahlen.xlsx']],
    ['tag=zah', []],
    ['tag=', ['mine.txt', 'plan.md', 'Été.pdf', 'Zahlen.xlsx', 'Bericht.txt']],
    ['sortBy=name&sortOrder=asc', ['Bericht.txt', 'mine.txt', 'plan.md', 'Zahlen.xlsx', 'Été.pdf']],
    ['search=umsatz&sortBy=name&sortOrder=asc', ['Zahlen.xlsx', 'Été.pdf']],
    ['search=umsatz&kind=pdf', ['Été.pdf']],
    ['search=ete', ['Été.pdf']],
    ['search=ÉTÉ.P', ['Été.pdf']],
    ['search=zahl', ['Zahlen.xlsx']],
    ['search=fred', ['mine.txt', 'Été.pdf']],
    ['search=ub', ['mine.txt', 'Bericht.txt']],
    ['search=ube&limit=1', ['mine.txt']],
    ['search=ube&limit=1&page=2', ['Bericht.txt']],
    ['search=%25', []],
  ])('returns the matching documents for %s', async (query, names) => {
    const result = await list(query);
    expect(result).toMatchObject({ status: 200, names: expect.arrayContaining(names) as unknown });
    expect(result.names).toEqual(query.includes('sortBy=name') ? expect.arrayContaining(names) : names);
    if (!query.includes('limit')) expect(result.total).toBe(names.length);
  });

  it('filters by uploader and project, for users with access', async () => {
    const { people } = started;
    expect((await list(`uploadedBy=${people.friend._id}`)).names).toEqual(['mine.txt', 'Été.pdf']);
    expect((await list(`uploadedBy=${people.friend._id}`, 'uploader')).names).toEqual(['Été.pdf']);
    expect((await list(`project=${project}`, 'uploader')).names).toEqual(['plan.md']);
    expect((await list(`project=${project}`, 'stranger')).names).toEqual([]);
    for (const query of ['uploadedBy=me', 'project=none', 'sortBy=age', `tag=${'x'.repeat(51)}`])
      expect((await list(query)).status).toBe(400);
  });

  it('sorts by size in both directions, and by id for equal sizes', async () => {
    const ascending = (await list('sortBy=size&sortOrder=asc')).names;
    expect((await list('sortBy=size&sortOrder=desc')).names).toEqual(ascending.toReversed());
    expect(ascending[0]).toBe('plan.md');
  });
});

it('GET /documents counts searches and filters up to a thousand, and finds frequent terms in every order', async () => {
  const { service, people } = started;
  const { object_key, size } = (
    await queryDatabase(
      service.env.DATABASE_URL ?? '',
      `select object_key, size from documents where name = 'Bericht.txt'`,
    )
  )[0] as { object_key: string; size: number };
  await queryDatabase(
    service.env.DATABASE_URL ?? '',
    `insert into documents (id, name, description, visibility, tags, uploaded_by, object_key, extension, mimetype, size, sha256, created_at)
     select lpad(to_hex(n), 24, '0'), 'Copy ' || n, '', case when n % 10 = 0 then 'private' else 'public' end, '{copy}', $1, $2, 'txt', 'text/plain', $3,
            '', now() - n * interval '1 minute' - interval '1 day'
     from generate_series(1, 1500) n`,
    [people.uploader._id, object_key, size],
  );
  const results = await searchDocuments(started, people.stranger, 'uberblick');
  expect(results).toMatchObject({ total: 1000, more: true });
  // Every tenth is private.
  expect(results.data.map(({ name }) => name)).toEqual(
    [
      'Bericht.txt',
      ...Array.from({ length: 120 }, (_, n) => n + 1)
        .filter((n) => n % 10 !== 0)
        .map((n) => `Copy ${n}`),
    ].slice(0, 100),
  );
  expect(results.data.every(({ snippet }) => snippet?.text === 'Der Überblick')).toBe(true);
  const last = await searchDocuments(started, people.admin, 'uberblick', '&sortOrder=asc&page=5');
  expect(last.data.map(({ name }) => name)).toEqual(Array.from({ length: 100 }, (_, n) => `Copy ${1100 - n}`));
  // This document matches by its text, among more than a thousand that match by name.
  const other = await createIndexedDocument(started, {
    as: people.uploader,
    fileName: 'other.txt',
    content: 'in words: copying',
  });
  expect((await searchDocuments(started, people.admin, 'copy')).data[0]?.name).toBe('other.txt');
  await service.call('DELETE', `/documents/${other._id}`, { as: people.uploader });
  expect(await searchDocuments(started, people.admin, 'copy', '&page=3')).toMatchObject({ total: 1000, more: true });
  const filtered = (await service.call('GET', '/documents?tag=copy', { as: people.admin })).body;
  expect(filtered).toMatchObject({ total: 1000, more: true });
  expect((await service.call('GET', '/documents', { as: people.admin })).body).toMatchObject({ total: 1505 });
  // This document is older than those scanned in list order.
  const oldDocument = await createDocument(service, {
    as: people.uploader,
    fileName: 'the oldest.txt',
    fields: { tags: 'copy' },
  });
  await queryDatabase(
    service.env.DATABASE_URL ?? '',
    `update all_documents set created_at = '2000-01-01' where id = $1`,
    [oldDocument._id],
  );
  const deep = await searchDocuments(started, people.admin, 'copy', '&page=16');
  expect(deep.data.at(-1)?.name).toBe('the oldest.txt');
});

it('GET /documents finds private documents shared with the caller, their department, or their project', async () => {
  const { service, people } = started;
  const departmentId = newId();
  service.running.directory.putDepartment({ _id: departmentId, name: 'Sales', isActive: true, version: 1 });
  const reader = buildUser({ departmentId });
  service.addToDirectory(reader);
  const share = async (fileName: string, body: object) => {
    const { _id } = await createDocument(service, { as: people.uploader, fileName, content: fileName });
    const path = `/documents/${_id}/share`;
    expect((await service.call('POST', path, { as: people.uploader, body })).status).toBe(200);
  };
  await share('personal.txt', { userIds: [reader._id] });
  await share('sales.txt', { departmentIds: [departmentId] });
  await share('portal.txt', { projectIds: [project] });
  const listPrivate = async (query: string, as: DirectoryUser) => {
    const { body } = await service.call('GET', `/documents?visibility=private&sortBy=name&sortOrder=asc&${query}`, {
      as,
    });
    const { data, total } = body as { data: FoundDocument[]; total: number };
    return [total, ...data.map(({ name }) => name)];
  };
  expect(await listPrivate('', reader)).toEqual([2, 'personal.txt', 'sales.txt']);
  expect(await listPrivate('search=sales', reader)).toEqual([1, 'sales.txt']);
  expect(await listPrivate('', people.manager)).toEqual([1, 'portal.txt']);
});
