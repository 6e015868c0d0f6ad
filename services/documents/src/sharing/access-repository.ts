import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { accessPathsTo, READER, readableBy } from '../documents/visibility.ts';

const ACCESS_PATHS = Object.entries(accessPathsTo(READER)) as [AccessPath, string][];
type AccessPath = keyof ReturnType<typeof accessPathsTo>;

/** The access paths by which a user can read a document; empty if it does not exist. */
export async function findAccessPaths(
  db: Queryable,
  documentId: string,
  reader: [string, string[]],
): Promise<AccessPath[]> {
  const { rows } = await db.query<Record<AccessPath, boolean>>(
    `select ${ACCESS_PATHS.map(([way, condition]) => `${condition} as "${way}"`).join(', ')} from documents d where d.id = $3`,
    [...reader, documentId],
  );
  return ACCESS_PATHS.map(([way]) => way).filter((way) => rows[0]?.[way]);
}

const READABLE_BY_USER = readableBy({ user: 'asked.id', groups: `string_to_array(asked.groups, ',')` });

export async function findReadersAmong(
  db: Queryable,
  documentId: string,
  readers: readonly [string, string[]][],
): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    `select asked.id from documents d, unnest($2::text[], $3::text[]) as asked (id, groups) where d.id = $1 and ${READABLE_BY_USER}`,
    [documentId, readers.map(([id]) => id), readers.map(([, groups]) => groups.join())],
  );
  return new Set(rows.map(({ id }) => id));
}
