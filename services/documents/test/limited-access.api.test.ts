import { projectCreated } from '@atrium/proto-events/events/projects';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb, type Db, type Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listExactly, listFiltered, searchDocuments } from '../src/search/find-documents.ts';
import { type DocumentListing, selectByScope, selectInOrder } from '../src/search/list-statements.ts';
import { createDocument, type Started, startDocuments } from './factories.ts';

const DOCUMENT_COUNT = Number(process.env.LITTLE_ACCESS_DOCUMENTS ?? 6_000);
/** Number of readable documents that are public, and that belong to the reader's project. */
const READABLE_COUNT = 40;
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
    [_id, READABLE_COUNT, project, DOCUMENT_COUNT],
  );
  await service.query('analyze');
});
afterAll(async () => {
  await db?.pool.end();
  await started?.service.close();
});

const toCaller = ({ _id, role }: { _id: string; role: Caller['role'] }): Caller => ({
  userId: _id,
  role,
  sessionId: newId(),
});
const buildListing = (
  order: DocumentListing['order'],
  page = 1,
  filter: DocumentListing['filter'] = {},
): DocumentListing => ({
  filter,
  order,
  page: { page, limit: 24 },
});

type Plan = { 'Actual Rows': number; 'Actual Loops': number; 'Rows Removed by Filter'?: number; Plans?: Plan[] };
const countPlanRows = (plan: Plan): number =>
  (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, childPlan) => sum + countPlanRows(childPlan), 0);

/** Counts the rows that all statements of `run` read. */
async function countRows(run: (db: Queryable) => Promise<unknown>): Promise<number> {
  let rows = 0;
  const explaining: Queryable = {
    ...db,
    async query(statement: string | { text: string; values?: unknown[] }, parameters?: unknown[]) {
      const { text, values } = typeof statement === 'string' ? { text: statement, values: parameters } : statement;
      const explained = await db.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `explain (analyze, format json) ${text}`,
        values,
      );
      const plan = explained.rows[0]?.['QUERY PLAN'][0]?.Plan;
      if (plan) rows += countPlanRows(plan);
      return db.query(text, values);
    },
  } as Queryable;
  await run(explaining);
  return rows;
}

describe('a search for a few characters', () => {
  const search = async (text: string, queryable: Queryable = db) =>
    searchDocuments(queryable, toCaller(started.people.admin), {
      ...buildListing({ sortBy: 'name', sortOrder: 'asc' }),
      search: { text, uploaders: [] },
    });

  it('matches anywhere in a document’s fields, and a word of three letters without scanning all documents', async () => {
    const { service, people } = started;
    const as = people.uploader;
    const idsByText = new Map<string, string>();
    for (const [text, fields] of [
      ['東京', { name: '新東京計画' }],
      ['ğ', { name: 'List', description: 'Dağ' }],
      ['Zq', { name: 'aZq1' }],
      ['ї', { name: 'x', tags: 'Київ' }],
      ['%', { name: '100 % sure' }],
    ] as const)
      idsByText.set(text, (await createDocument(service, { as, fields: fields as Record<string, string> }))._id);
    for (const [text, id] of idsByText) expect((await search(text)).ids).toEqual([id]);
    expect((await search('sur')).ids).toEqual([idsByText.get('%')]);
    expect(await countRows((queryable) => search('sur', queryable))).toBeLessThan(200);
    expect((await search('zq')).ids).toEqual([idsByText.get('Zq')]);
    expect((await search('京都')).ids).toEqual([]);
  });
});

describe('the document list of a user with little access', () => {
  it.each(ORDERS)('reads few rows for %j', async (order) => {
    const caller = toCaller(started.people.friend);
    expect(await countRows((queryable) => listExactly(queryable, caller, buildListing(order)))).toBeLessThan(1_000);
  });

  it('finds all matches of a filter that mostly matches documents of others', async () => {
    const caller = toCaller(started.people.friend);
    const filteredListing = buildListing({ sortBy: 'createdAt', sortOrder: 'desc' }, 1, { tag: 'copy' });
    const matches = await listFiltered(db, caller, filteredListing);
    expect(matches.total).toBe(2 * READABLE_COUNT);
    expect(matches.ids).toHaveLength(24);
  });

  it('has the same pages as a scan of all documents, for every reader', async () => {
    const { people } = started;
    for (const user of [people.friend, people.stranger, people.uploader, people.manager]) {
      const caller = toCaller(user);
      for (const order of ORDERS) {
        for (const page of [1, 2, 4]) {
          const documentListing = buildListing(order, page);
          const idsBy = async (read: typeof selectByScope) =>
            (await db.query<{ id: string }>(read(caller, documentListing))).rows.map(({ id }) => id);
          expect(await idsBy(selectByScope)).toEqual(await idsBy(selectInOrder));
        }
      }
    }
  });
});
