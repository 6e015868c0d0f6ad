import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits } from '@atrium/service-kit/http/page';
import { COUNTED_AT_MOST, searchTotal } from '@atrium/service-kit/postgres/find-page';
import { likePattern, type Queryable } from '@atrium/service-kit/postgres/postgres';
import { queryTerms } from '../texts/terms.ts';
import { conditionOf, type DocumentListing, orderOf, type Search } from './listing.ts';

/** So many documents are looked through, in the list's order, for what many have in common. */
const LOOKED_THROUGH = 1_000;

/** Whose rows stand on a page, in order. `more`: a search found more than the total says. */
export type Found = { ids: string[]; total: number; more: boolean };
type Searched = DocumentListing & { search: Search };

/**
 * Finds documents by what they say of themselves, by who uploaded them and by the text of their present file. Each of these has an
 * index, and is asked by itself, for up to a thousand: where none has more, that is all there is, and it is sorted. What more have in
 * common is soon found in the list's order. No statement is prepared: the best way depends on what is asked for.
 */
export async function searchDocuments(db: Queryable, caller: Caller, searched: Searched): Promise<Found> {
  const { proposed, beginning, sorted } = statementsOf(caller, searched);
  const { rows } = await db.query<{ n: number; ids: string[] | null }>(proposed);
  const { n = 0, ids } = rows[0] ?? {};
  const total = searchTotal(n);
  if (!total.more) return { ids: ids ?? [], ...total };
  const soon = await idsOf(db, beginning);
  const isFull = soon.length === searched.page.limit;
  return { ids: isFull ? soon : await idsOf(db, sorted), ...total };
}

type Statement = { text: string; values: unknown[] };

const idsOf = async (db: Queryable, statement: Statement): Promise<string[]> =>
  (await db.query<{ id: string }>(statement)).rows.map(({ id }) => id);

/** A way to be found: as a join with documents `d` and a condition, and as a condition on one document alone. */
type Way = { from: string; where: string; ofOne: string };

/** The ways to find what is sought, with their values from the parameter on that is next. */
function waysOf({ text, uploaders }: Search, next: number): { ways: Way[]; values: unknown[] } {
  const values: unknown[] = [likePattern(text)];
  const words = `document_words(d.name, d.description, d.tags) like fold_letters($${next})`;
  const ways: Way[] = [{ from: 'documents d', where: words, ofOne: words }];
  if (uploaders.length > 0) {
    values.push(uploaders);
    const people = `d.uploaded_by = any($${next + values.length - 1}::text[])`;
    ways.push({ from: 'documents d', where: people, ofOne: people });
  }
  const terms = queryTerms(text);
  if (terms !== undefined) {
    values.push(terms);
    const where = `t.words @@ $${next + values.length - 1}::tsquery`;
    ways.push({
      from: 'object_texts t join documents d on d.object_key = t.object_key',
      where,
      ofOne: `exists (select from object_texts t where t.object_key = d.object_key and ${where})`,
    });
  }
  return { ways, values };
}

function statementsOf(caller: Caller, { filter, search, order, page }: Searched) {
  const { limit, offset } = toLimits(page);
  const { where, values: reading } = conditionOf(caller, filter);
  const { ways, values: seeking } = waysOf(search, reading.length + 1);
  const values = [...reading, ...seeking];
  const { column, orderBy, direction } = orderOf(order);
  const placed = `place ${direction}, id ${direction}`;
  const union = (most: string) =>
    ways
      .map((way) => `(select d.id, ${column} as place from ${way.from} where ${way.where} and ${where} ${most})`)
      .join(' union ');
  const inOrder = `select d.* from documents d where ${where} order by ${orderBy} limit ${LOOKED_THROUGH}`;
  return {
    proposed: {
      text: `select count(*) as n, (array_agg(id order by ${placed}))[${offset + 1}:${offset + limit}] as ids
        from (${union(`limit ${COUNTED_AT_MOST}`)}) as found`,
      values,
    },
    beginning: {
      text: `select d.id from (${inOrder}) as d where ${ways.map(({ ofOne }) => ofOne).join(' or ')}
        limit ${limit} offset ${offset}`,
      values,
    },
    sorted: {
      text: `select id from (${union('')}) as found order by ${placed} limit ${limit} offset ${offset}`,
      values,
    },
  };
}
