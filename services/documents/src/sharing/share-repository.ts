import type { DirectoryUser } from '@atrium/proto-events/people';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Limits } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import {
  accessConditions,
  READER,
  type ReaderValues,
  readableBy,
  readerOf,
  readerOfUser,
  shareCondition,
  sharesFromOthersSql,
} from '../documents/visibility.ts';

export type Grantees = { userIds: readonly string[]; departmentIds: readonly string[]; projectIds: readonly string[] };

/** Exactly one of the three grantees is set. */
export type ShareRow = {
  user_id: string | null;
  department_id: string | null;
  project_id: string | null;
  granted_by: string;
  created_at: Date;
};

export const countGrantees = ({ userIds, departmentIds, projectIds }: Grantees): number =>
  userIds.length + departmentIds.length + projectIds.length;

export async function insertGrants(
  tx: Queryable,
  documentId: string,
  { userIds, departmentIds, projectIds, grantedBy }: Grantees & { grantedBy: string },
): Promise<void> {
  await tx.query(
    `insert into document_grants (document_id, user_id, granted_by)
     select $1, unnest($2::text[]), $3 on conflict do nothing`,
    [documentId, userIds, grantedBy],
  );
  await tx.query(
    `insert into document_group_grants (document_id, department_id, project_id, granted_by)
     select $1, department_id, null, $4 from unnest($2::text[]) department_id
     union all select $1, null, project_id, $4 from unnest($3::text[]) project_id
     on conflict do nothing`,
    [documentId, departmentIds, projectIds, grantedBy],
  );
}

export async function removeGrants(
  tx: Queryable,
  documentId: string,
  { userIds, departmentIds, projectIds }: Grantees,
): Promise<void> {
  await tx.query('delete from document_grants where document_id = $1 and user_id = any($2)', [documentId, userIds]);
  await tx.query(
    `delete from document_group_grants
     where document_id = $1 and (department_id = any($2) or project_id = any($3))`,
    [documentId, departmentIds, projectIds],
  );
}

/** Returns the ids of the documents. Locks them in id order, before their shares. */
export async function removeGrantsToUser(tx: Queryable, userId: string): Promise<string[]> {
  await tx.query(
    `select from all_documents where id in (select document_id from document_grants where user_id = $1)
     order by id for update`,
    [userId],
  );
  const { rows } = await tx.query<{ id: string }>(
    'delete from document_grants where user_id = $1 returning document_id as id',
    [userId],
  );
  return rows.map(({ id }) => id).toSorted();
}

const ORDER = 'g.created_at, coalesce(g.user_id, g.department_id, g.project_id)';

export async function listShareRows(db: Queryable, documentId: string): Promise<ShareRow[]> {
  const { rows } = await db.query<ShareRow>(
    `select g.* from document_shares g where g.document_id = $1 order by ${ORDER}`,
    [documentId],
  );
  return rows;
}

export async function listSharesTo(db: Queryable, documentId: string, reader: ReaderValues): Promise<ShareRow[]> {
  const { rows } = await db.query<ShareRow>(
    `select g.* from document_shares g where g.document_id = $3 and ${shareCondition(READER)} order by ${ORDER}`,
    [...reader, documentId],
  );
  return rows;
}

type ReceivedShareRow = { document_id: string; granted_by: string; shared_at: Date };

/** Lists documents of others that are shared with the caller, each with its latest share. */
export async function listSharesFromOthers(
  db: Queryable,
  caller: Caller,
  { limit, offset }: Limits,
): Promise<{ shares: ReceivedShareRow[]; total: number }> {
  const { rows } = await db.query<ReceivedShareRow & { total: number }>(
    `with latest as (
       select distinct on (document_id) document_id, granted_by, created_at as shared_at
       from (${sharesFromOthersSql(READER)}) as shares order by document_id, created_at desc, granted_by
     ), received as (
       select latest.* from latest join documents d on d.id = latest.document_id where d.uploaded_by <> $1
     )
     select page.*, counted.total from (select count(*)::int as total from received) as counted
     left join lateral (select * from received order by shared_at desc, document_id desc limit $3 offset $4) as page on true`,
    [...readerOf(caller), limit, offset],
  );
  return { shares: rows.filter(({ document_id }) => document_id !== null), total: rows[0]?.total ?? 0 };
}

const ACCESS_PATHS = Object.entries(accessConditions(READER)) as [AccessPath, string][];
type AccessPath = keyof ReturnType<typeof accessConditions>;

export async function findAccessPaths(db: Queryable, documentId: string, reader: ReaderValues): Promise<AccessPath[]> {
  const { rows } = await db.query<Record<AccessPath, boolean>>(
    `select ${ACCESS_PATHS.map(([path, condition]) => `${condition} as "${path}"`).join(', ')} from documents d where d.id = $3`,
    [...reader, documentId],
  );
  return ACCESS_PATHS.map(([path]) => path).filter((path) => rows[0]?.[path]);
}

const READABLE_BY_USER = readableBy({ user: 'u.id', groups: `string_to_array(u.groups, ',')` });

export async function filterReaders(
  db: Queryable,
  documentId: string,
  users: readonly DirectoryUser[],
): Promise<Set<string>> {
  const readers = users.map(readerOfUser);
  const { rows } = await db.query<{ id: string }>(
    `select u.id from documents d, unnest($2::text[], $3::text[]) as u (id, groups) where d.id = $1 and ${READABLE_BY_USER}`,
    [documentId, readers.map(([id]) => id), readers.map(([, groups]) => groups.join())],
  );
  return new Set(rows.map(({ id }) => id));
}
