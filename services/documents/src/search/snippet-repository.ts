import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { needlesOf, queryTerms, symbolsOf } from '../text-index/terms.ts';

/** A piece of a text, and whether it goes on before and behind. */
export type Excerpt = { text: string; isBegun: boolean; isEnded: boolean };

/** Characters before what was found, and in all. */
const BEFORE = 80;
const LENGTH = 280;

/** How far into a text is looked, in characters, some 40 pages: 48 results would read 48 MB otherwise. What is found behind has no excerpt. */
const LOOKED_AT = 100_000;

/** Pieces of the texts of these objects around what is sought, by the object, for those that have all of it and some of it near their beginning. */
export async function findExcerpts(
  db: Queryable,
  objectKeys: readonly string[],
  search: string,
): Promise<Map<string, Excerpt>> {
  const terms = queryTerms(search);
  if (terms === undefined || objectKeys.length === 0) return new Map();
  const words = needlesOf(search);
  const needles = words.length > 0 ? words : symbolsOf(search);
  // One more character says that it goes on, without all of the text.
  const { rows } = await db.query<{ object_key: string; excerpt: string; from: number }>(
    `select t.object_key, substring(t.text, start.at, ${LENGTH} + 1) as excerpt, start.at as from
     from object_texts t
     cross join lateral (select left(case when $4 then t.folded else t.text end, ${LOOKED_AT}) as folded offset 0) as beginning
     cross join lateral (
       select strpos(beginning.folded, needle) as place from unnest($3::text[]) with ordinality as sought (needle, rank)
       where strpos(beginning.folded, needle) > 0 order by rank limit 1
     ) as found
     cross join lateral (select greatest(1, found.place - ${BEFORE}) as at) as start
     where t.object_key = any($1) and t.words @@ $2::tsquery`,
    [objectKeys, terms, needles, words.length > 0],
  );
  return new Map(
    rows.map(({ object_key, excerpt, from }) => {
      const characters = [...excerpt];
      const text = characters.slice(0, LENGTH).join('');
      return [object_key, { text, isBegun: from > 1, isEnded: characters.length > LENGTH }];
    }),
  );
}
