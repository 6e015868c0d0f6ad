import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits } from '@atrium/service-kit/http/page';
import { COUNTED_AT_MOST, searchTotal } from '@atrium/service-kit/postgres/find-page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { countDocuments } from '../stats/stats-repository.ts';
import { conditionsOf, type DocumentListing, type Found, orderOf, type Statement } from './listing.ts';
import { canReadByScope, countByScope, countInOrder, readByScope, readInOrder } from './read-by-scope.ts';

/** Of so few documents that a filter leaves, all are looked at. */
const FEW = 5_000;

/** All that the caller may read, in order, and how many that are. */
export async function listAll(db: Queryable, caller: Caller, listing: Omit<DocumentListing, 'filter'>): Promise<Found> {
  const { inOrder } = await statementsOf(db, caller, { ...listing, filter: {} });
  const [ids, total] = await Promise.all([idsOf(db, inOrder), countDocuments(db, caller)]);
  return { ids, total, more: false };
}

/** The same of a project. */
export async function listOfProject(db: Queryable, caller: Caller, listing: DocumentListing): Promise<Found> {
  const { inOrder, counted } = await statementsOf(db, caller, listing);
  const [ids, total] = await Promise.all([idsOf(db, inOrder), countOf(db, counted())]);
  return { ids, total, more: false };
}

/**
 * What a filter leaves. Few are all looked at and sorted. Of many, those that the caller may read are read in the list's order; and no
 * more than a thousand are counted, as of a search.
 */
export async function listFiltered(db: Queryable, caller: Caller, listing: DocumentListing): Promise<Found> {
  const { inOrder, counted, within } = await statementsOf(db, caller, listing);
  const { rows } = await db.query<{ looked: number; n: number; ids: string[] | null }>(within);
  const { looked = 0, n = 0, ids } = rows[0] ?? {};
  if (looked <= FEW) return { ids: ids ?? [], ...searchTotal(n) };
  const [found, total] = await Promise.all([idsOf(db, inOrder), countOf(db, counted(COUNTED_AT_MOST))]);
  return { ids: found, ...searchTotal(total) };
}

const idsOf = async (db: Queryable, statement: Statement) =>
  (await db.query<{ id: string }>(statement)).rows.map(({ id }) => id);
const countOf = async (db: Queryable, statement: Statement) =>
  (await db.query<{ n: number }>(statement)).rows[0]?.n ?? 0;

async function statementsOf(db: Queryable, caller: Caller, listing: DocumentListing) {
  const { filter, order, page } = listing;
  const { narrowed, readable, values } = conditionsOf(caller, filter);
  const { limit, offset } = toLimits(page);
  const { column, direction } = orderOf(order);
  const placed = `place ${direction}, id ${direction}`;
  const isByScope = await canReadByScope(db, caller, limit + offset);
  const read = isByScope ? readByScope : readInOrder;
  return {
    inOrder: read(caller, listing),
    counted: (most?: number) => (isByScope ? countByScope : countInOrder)(caller, filter, most),
    within: {
      text: `select count(*) as looked, count(*) filter (where readable) as n,
          (array_agg(id order by ${placed}) filter (where readable))[${offset + 1}:${offset + limit}] as ids
        from (select d.id, ${column} as place, ${readable} as readable from documents d where ${narrowed} limit ${FEW + 1}) as rows`,
      values,
    },
  };
}
