import { projectCreated } from '@atrium/proto-events/events/projects';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb, type Db, type Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listExactly, listFiltered, searchDocuments } from '../src/search/find-documents.ts';
import { type DocumentListing, readByScope, readInOrder } from '../src/search/list-statements.ts';
import { createDocument, type Started, startDocuments } from './factories.ts';

const DOCUMENTS = Number(process.env.LITTLE_ACCESS_DOCUMENTS ?? 6_000);
const READABLE_EACH = 40;
const ORDERS = (['createdAt', 'name', 'size'] as const).flatMap((sortBy) =>
  (['asc', 'desc'] as const).map((sortOrder) => ({ sortBy, sortOrder })),
);
const project = newId();
let started: Started;
let db: Db;

/** Nearly all are private documents of others; a few of the oldest are public or belong to the reader's project. */
beforeAll(async () => {
  started = await startDocuments();
  const { service, people } = started;
  db = createDb(service.env.DATABASE_URL ?? '', 4, createLogger('test', 'silent'));
  await service.deliver(projectCreated, {
    projectId: project,
    name: 'Portal',
    status: 'in-progress',
    managerId: people.manager._id,
    memberIds: [people.friend._id],
    createdBy: people.admin._id,
    version: 1,
  });
  const { _id } = await createDocument(service, { as: people.uploader, fields: { tags: 'copy' } });
  await service.query(
    `insert into documents (id, name, description, visibility, tags, uploaded_by, project_id, object_key, extension, mimetype, size, sha256, created_at)
     select lpad(to_hex(n), 24, '0'), 'Copy ' || md5(n::text), '',
       case when n <= $2 then 'public' when n <= 2 * $2 then 'team' else 'private' end, '{copy}', uploaded_by,
       case when n > $2 and n <= 2 * $2 then $3 end, object_key, extension, mimetype, (n * 7919) % 10007, sha256,
       now() - interval '1 year' + n * interval '1 minute'
     from documents, generate_series(1, $4::integer) n where id = $1`,
    [_id, READABLE_EACH, project, DOCUMENTS],
  );
  await service.query('analyze');
});
afterAll(async () => {
  await db?.pool.end();
  await started?.service.close();
});

const callerOf = ({ _id, role }: { _id: string; role: Caller['role'] }): Caller => ({
  userId: _id,
  role,
  sessionId: newId(),
});
const listing = (
  order: DocumentListing['order'],
  page = 1,
  filter: DocumentListing['filter'] = {},
): DocumentListing => ({
  filter,
  order,
  page: { page, limit: 24 },
});

type Plan = { 'Actual Rows': number; 'Actual Loops': number; 'Rows Removed by Filter'?: number; Plans?: Plan[] };
const rowsOf = (plan: Plan): number =>
  (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, one) => sum + rowsOf(one), 0);

/** Rows read by all statements of `work`. */
async function countRows(work: (db: Queryable) => Promise<unknown>): Promise<number> {
  let rows = 0;
  const explaining: Queryable = {
    ...db,
    async query(given: string | { text: string; values?: unknown[] }, more?: unknown[]) {
      const { text, values } = typeof given === 'string' ? { text: given, values: more } : given;
      const explained = await db.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `explain (analyze, format json) ${text}`,
        values,
      );
      const plan = explained.rows[0]?.['QUERY PLAN'][0]?.Plan;
      if (plan) rows += rowsOf(plan);
      return db.query(text, values);
    },
  } as Queryable;
  await work(explaining);
  return rows;
}

describe('a search for a few characters', () => {
  const search = async (text: string, one: Queryable = db) =>
    searchDocuments(one, callerOf(started.people.admin), {
      ...listing({ sortBy: 'name', sortOrder: 'asc' }),
      search: { text, uploaders: [] },
    });

  it('matches anywhere in a document’s fields, and a word of three letters without scanning all documents', async () => {
    const { service, people } = started;
    const as = people.uploader;
    const found = new Map<string, string>();
    for (const [text, fields] of [
      ['東京', { name: '新東京計画' }],
      ['ğ', { name: 'List', description: 'Dağ' }],
      ['Zq', { name: 'aZq1' }],
      ['ї', { name: 'x', tags: 'Київ' }],
      ['%', { name: '100 % sure' }],
    ] as const)
      found.set(text, (await createDocument(service, { as, fields: fields as Record<string, string> }))._id);
    for (const [text, id] of found) expect((await search(text)).ids).toEqual([id]);
    expect((await search('sur')).ids).toEqual([found.get('%')]);
    expect(await countRows((db) => search('sur', db))).toBeLessThan(200);
    expect((await search('zq')).ids).toEqual([found.get('Zq')]);
    expect((await search('京都')).ids).toEqual([]);
  });
});

describe('the Document Hub of a user with little access', () => {
  it.each(ORDERS)('reads few rows for %j', async (order) => {
    const caller = callerOf(started.people.friend);
    expect(await countRows((one) => listExactly(one, caller, listing(order)))).toBeLessThan(1_000);
  });

  it('reads few rows for a filter that mostly matches documents of others', async () => {
    const caller = callerOf(started.people.friend);
    const narrowed = listing({ sortBy: 'createdAt', sortOrder: 'desc' }, 1, { tag: 'copy' });
    const all = await listFiltered(db, caller, narrowed);
    expect(all.total).toBe(2 * READABLE_EACH);
    expect(all.ids).toHaveLength(24);
  });

  it('has the same pages as a scan of all documents, for every reader', async () => {
    const { people } = started;
    for (const person of [people.friend, people.stranger, people.uploader, people.manager]) {
      const caller = callerOf(person);
      for (const order of ORDERS) {
        for (const page of [1, 2, 4]) {
          const one = listing(order, page);
          const idsBy = async (read: typeof readByScope) =>
            (await db.query<{ id: string }>(read(caller, one))).rows.map(({ id }) => id);
          expect(await idsBy(readByScope)).toEqual(await idsBy(readInOrder));
        }
      }
    }
  });
});
