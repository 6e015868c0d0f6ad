import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits } from '@atrium/service-kit/http/page';
import { COUNT_LIMIT, searchTotal } from '@atrium/service-kit/postgres/find-page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { isAdmin } from '../documents/visibility.ts';
import { conditionsOf, type DocumentListing, type Found, orderOf, type Statement } from './listing.ts';
import { canReadByScope, countByScope, countInOrder, readByScope, readInOrder } from './read-by-scope.ts';

/** At most this many filtered documents are all read and sorted. */
const MAX_SORTED_MATCHES = 5_000;

/** Readable documents with their exact number: all, or those of a project. */
export async function listExactly(db: Queryable, caller: Caller, listing: DocumentListing): Promise<Found> {
  const { inOrder, counted } = await statementsOf(db, caller, listing);
  const [ids, total] = await Promise.all([idsOf(db, inOrder), countOf(db, counted())]);
  return { ids, total, more: false };
}

/** Filtered documents. Few are all read and sorted; of many, readable ones are read in list order. Counts up to a thousand. */
export async function listFiltered(db: Queryable, caller: Caller, listing: DocumentListing): Promise<Found> {
  const { inOrder, counted, within } = await statementsOf(db, caller, listing);
  const { rows } = await db.query<{ scanned: number; n: number; ids: string[] | null }>(within);
  const { scanned = 0, n = 0, ids } = rows[0] ?? {};
  if (scanned <= MAX_SORTED_MATCHES) return { ids: ids ?? [], ...searchTotal(n) };
  const [found, total] = await Promise.all([idsOf(db, inOrder), countOf(db, counted(COUNT_LIMIT))]);
  return { ids: found, ...searchTotal(total) };
}

const idsOf = async (db: Queryable, statement: Statement) =>
  (await db.query<{ id: string }>(statement)).rows.map(({ id }) => id);
const countOf = async (db: Queryable, statement: Statement) =>
  (await db.query<{ n: number }>(statement)).rows[0]?.n ?? 0;

async function statementsOf(db: Queryable, caller: Caller, listing: DocumentListing) {
  const { filter, order, page } = listing;
  const { filtered, readable, values } = conditionsOf(caller, filter);
  const { limit, offset } = toLimits(page);
  const { column, direction } = orderOf(order);
  const placeOrder = `place ${direction}, id ${direction}`;
  const isByScope = await canReadByScope(db, caller, limit + offset);
  const read = isByScope ? readByScope : readInOrder;
  return {
    inOrder: read(caller, listing),
    counted: (most?: number) => (isAdmin(caller) ? countInOrder : countByScope)(caller, filter, most),
    within: {
      text: `select count(*) as scanned, count(*) filter (where readable) as n,
          (array_agg(id order by ${placeOrder}) filter (where readable))[${offset + 1}:${offset + limit}] as ids
        from (select d.id, ${column} as place, ${readable} as readable from documents d where ${filtered} limit ${MAX_SORTED_MATCHES + 1}) as rows`,
      values,
    },
  };
}
