import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { COLUMNS, type DocumentRow } from './document-repository.ts';
import { READABLE, readerOf } from './visibility.ts';

/** The readable documents of a page, in the order of the ids. */
export async function readRows(db: Queryable, caller: Caller, ids: readonly string[]): Promise<DocumentRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<DocumentRow>({
    name: 'read-documents',
    text: `select ${COLUMNS} from documents d where d.id = any($3) and ${READABLE} order by array_position($3, d.id)`,
    values: [...readerOf(caller), ids],
  });
  return rows;
}
