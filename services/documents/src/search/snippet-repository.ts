import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { needlesOf, queryTerms, symbolsOf } from '../text-index/terms.ts';

/** An excerpt of a text, and whether text precedes or follows it. */
export type Excerpt = { text: string; isBegun: boolean; isEnded: boolean };

/** Characters before the match, and in total. */
const CONTEXT_BEFORE = 80;
const LENGTH = 280;

/** Characters of a text that are searched, about 40 pages: 48 results would otherwise read 48 MB. Later matches have no excerpt. */
const MAX_SEARCHED_CHARACTERS = 100_000;

/** Excerpts around the matches, by object, for texts that contain all terms and some of them near the beginning. */
export async function findExcerpts(
  db: Queryable,
  objectKeys: readonly string[],
  search: string,
): Promise<Map<string, Excerpt>> {
  const terms = queryTerms(search);
  if (terms === undefined || objectKeys.length === 0) return new Map();
  const words = needlesOf(search);
  const needles = words.length > 0 ? words : symbolsOf(search);
  // One more character shows whether the text continues.
  const { rows } = await db.query<{ object_key: string; excerpt: string; from: number }>(
    `select t.object_key, substring(t.text, start.at, ${LENGTH} + 1) as excerpt, start.at as from
     from object_texts t
     cross join lateral (select left(case when $4 then t.folded else t.text end, ${MAX_SEARCHED_CHARACTERS}) as folded offset 0) as beginning
     cross join lateral (
       select strpos(beginning.folded, needle) as place from unnest($3::text[]) with ordinality as sought (needle, rank)
       where strpos(beginning.folded, needle) > 0 order by rank limit 1
     ) as found
     cross join lateral (select greatest(1, found.place - ${CONTEXT_BEFORE}) as at) as start
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
