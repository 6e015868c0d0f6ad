import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits } from '@atrium/service-kit/http/page';
import { COUNTED_AT_MOST, searchTotal } from '@atrium/service-kit/postgres/find-page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { countDocuments } from '../stats/stats-repository.ts';
import { conditionsOf, type DocumentListing, type Found, orderOf, type Statement } from './listing.ts';

/** Of so few documents that a filter leaves, all are looked at. */
const FEW = 5_000;

/** All that the caller may read, in order, and how many that are. */
export async function listAll(db: Queryable, caller: Caller, listing: Omit<DocumentListing, 'filter'>): Promise<Found> {
  const { inOrder } = statementsOf(caller, { ...listing, filter: {} });
  const [ids, total] = await Promise.all([idsOf(db, inOrder), countDocuments(db, caller)]);
  return { ids, total, more: false };
}

/** The same of a project. */
export async function listOfProject(db: Queryable, caller: Caller, listing: DocumentListing): Promise<Found> {
  const { inOrder, counted } = statementsOf(caller, listing);
  const [ids, total] = await Promise.all([idsOf(db, inOrder), countOf(db, counted(''))]);
  return { ids, total, more: false };
}

/**
 * What a filter leaves. Few are all looked at and sorted. Of many, some that the caller may read soon come in the list's order; and no
 * more than a thousand are counted, as of a search.
 */
export async function listNarrowed(db: Queryable, caller: Caller, listing: DocumentListing): Promise<Found> {
  const { inOrder, counted, within } = statementsOf(caller, listing);
  const { rows } = await db.query<{ looked: number; n: number; ids: string[] | null }>(within);
  const { looked = 0, n = 0, ids } = rows[0] ?? {};
  if (looked <= FEW) return { ids: ids ?? [], ...searchTotal(n) };
  const [found, total] = await Promise.all([idsOf(db, inOrder), countOf(db, counted(`limit ${COUNTED_AT_MOST}`))]);
  return { ids: found, ...searchTotal(total) };
}

const idsOf = async (db: Queryable, statement: Statement) =>
  (await db.query<{ id: string }>(statement)).rows.map(({ id }) => id);
const countOf = async (db: Queryable, statement: Statement) =>
  (await db.query<{ n: number }>(statement)).rows[0]?.n ?? 0;

function statementsOf(caller: Caller, { filter, order, page }: DocumentListing) {
  const { narrowed, readable, values } = conditionsOf(caller, filter);
  const { limit, offset } = toLimits(page);
  const { column, orderBy, direction } = orderOf(order);
  const placed = `place ${direction}, id ${direction}`;
  return {
    inOrder: {
      text: `select d.id from documents d where ${readable} and ${narrowed} order by ${orderBy} limit ${limit} offset ${offset}`,
      values,
    },
    counted: (most: string) => ({
      text: `select count(*) as n from (select from documents d where ${readable} and ${narrowed} ${most}) as counted`,
      values,
    }),
    within: {
      text: `select count(*) as looked, count(*) filter (where readable) as n,
          (array_agg(id order by ${placed}) filter (where readable))[${offset + 1}:${offset + limit}] as ids
        from (select d.id, ${column} as place, ${readable} as readable from documents d where ${narrowed} limit ${FEW + 1}) as rows`,
      values,
    },
  };
}
