import type { Snippet } from '@atrium/proto-events/http/documents';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { findSymbols, foldInPlace, queryTerms, toNeedles } from '../text-index/terms.ts';

export function makeSnippet({ text, hasTextBefore, hasTextAfter }: Excerpt, search: string): Snippet {
  let line = text;
  if (hasTextBefore) line = `… ${line.replace(/^\S{0,40}\s+/, '')}`;
  if (hasTextAfter) line = `${line.replace(/(?<!\s)\s+\S{0,40}$/, '')} …`;
  line = line.replace(/\s+/g, ' ').trim();
  return { text: line, marks: findMarks(line, search) };
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function findMarks(line: string, search: string): Snippet['marks'] {
  // Keeps the length of the line, even for characters of two UTF-16 units, so that positions stay valid.
  const plain = line.replace(/[^\p{L}\p{N}\p{M}]/gu, (sign) => ' '.repeat(sign.length));
  const folded = ` ${foldInPlace(plain)}`;
  const wordMarks = toNeedles(search).flatMap((needle) => {
    const spaces = needle.startsWith(' ') ? 1 : 0;
    return findIndexes(folded, needle).map((at) => ({ start: at + spaces - 1, end: at + needle.length - 1 }));
  });
  const symbolMarks = findSymbols(search).flatMap((symbol) =>
    findIndexes(line, symbol).map((at) => ({ start: at, end: at + symbol.length })),
  );
  const graphemes = GRAPHEMES.segment(line);
  const graphemeMarks = [...wordMarks, ...symbolMarks].map(({ start, end }) => {
    const last = graphemes.containing(end - 1);
    return { start: graphemes.containing(start)?.index ?? start, end: last ? last.index + last.segment.length : end };
  });
  const sortedMarks = graphemeMarks.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return sortedMarks.filter((mark) => {
    if (mark.start < end) return false;
    end = mark.end;
    return true;
  });
}

function findIndexes(text: string, needle: string): number[] {
  const indexes: number[] = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) indexes.push(at);
  return indexes;
}

/** An excerpt, and whether other text precedes or follows it. */
type Excerpt = { text: string; hasTextBefore: boolean; hasTextAfter: boolean };

/** Characters of an excerpt before the match, and in total. */
const CONTEXT_BEFORE_LENGTH = 80;
const EXCERPT_LENGTH = 280;

/** About 40 pages. Without a limit, 48 results would read 48 MB. Matches after these characters have no excerpt. */
const MAX_SEARCHED_CHARACTERS = 100_000;

/** Returns excerpts of texts that contain all terms, at least one of them near the beginning. */
export async function findExcerpts(
  db: Queryable,
  objectKeys: readonly string[],
  search: string,
): Promise<Map<string, Excerpt>> {
  const terms = queryTerms(search);
  if (terms === undefined || objectKeys.length === 0) return new Map();
  const words = toNeedles(search);
  const needles = words.length > 0 ? words : findSymbols(search);
  // One more character shows whether the text continues.
  const { rows } = await db.query<{ object_key: string; excerpt: string; from: number }>(
    `select t.object_key, substring(t.text, start.at, ${EXCERPT_LENGTH} + 1) as excerpt, start.at as from
     from object_texts t
     cross join lateral (select left(case when $4 then t.folded else t.text end, ${MAX_SEARCHED_CHARACTERS}) as folded offset 0) as beginning
     cross join lateral (
       select strpos(beginning.folded, needle) as position from unnest($3::text[]) with ordinality as needles (needle, rank)
       where strpos(beginning.folded, needle) > 0 order by rank limit 1
     ) as found
     cross join lateral (select greatest(1, found.position - ${CONTEXT_BEFORE_LENGTH}) as at) as start
     where t.object_key = any($1) and t.words @@ $2::tsquery`,
    [objectKeys, terms, needles, words.length > 0],
  );
  return new Map(
    rows.map(({ object_key, excerpt, from }) => {
      const characters = [...excerpt];
      const text = characters.slice(0, EXCERPT_LENGTH).join('');
      return [object_key, { text, hasTextBefore: from > 1, hasTextAfter: characters.length > EXCERPT_LENGTH }];
    }),
  );
}
