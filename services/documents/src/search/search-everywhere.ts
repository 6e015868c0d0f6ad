import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { Snippet as MarkedExcerpt } from '@atrium/proto-events/http/documents';
import type { Snippet } from '@atrium/proto-events/http/found';
import type { searchDocuments as contract, FoundDocument } from '@atrium/proto-events/http/search/documents';
import { containsTerms, markTerms, parseTextQuery, type TextQuery } from '@atrium/proto-events/text/text-query';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { SEARCH_STATEMENT_TIMEOUT_MS, searchTexts } from '@atrium/service-kit/postgres/text-search';
import type { Deps } from '../deps.ts';
import { type DocumentRow, listReadable } from '../documents/document-repository.ts';
import { READABLE, readerOf } from '../documents/visibility.ts';
import { queryTerms } from '../text-index/terms.ts';
import { searchDocuments } from './find-documents.ts';
import { findExcerpts, makeSnippet } from './snippets.ts';

/** The name at the beginning of `search`. Must match the index `documents_by_similar_name`. */
const NAME = 'left(d.search, char_length(d.name) + 1)';

type Query = RequestOf<typeof contract>['query'];

/** Searches the names, descriptions, tags, and texts of documents: names that match come first. */
export async function searchEverywhere(deps: Deps, caller: Caller, { q, limit }: Query) {
  const query = parseTextQuery(q);
  if (!query) return { data: [], total: 0, more: false };
  const { ids, ...found } = await findBestMatches(deps, caller, { query, limit });
  const rows = await listReadable(deps.db, caller, ids);
  const excerpts = await findExcerpts(
    deps.db,
    rows.map((row) => row.object_key),
    query.text,
  );
  const data = rows.map((row): FoundDocument => {
    const excerpt = excerpts.get(row.object_key);
    return {
      _id: row.id,
      name: row.name,
      title: markTerms(row.name, query),
      snippet: excerpt ? splitAtMarks(makeSnippet(excerpt, query.text)) : markDescription(row, query),
      mimetype: row.mimetype,
      project: row.project_id,
      uploadedBy: deps.directory.summary(row.uploaded_by),
      updatedAt: row.updated_at.toISOString(),
    };
  });
  return { data, ...found };
}

type Search = { query: TextQuery; limit: number };

async function findBestMatches({ db }: Deps, caller: Caller, { query, limit }: Search) {
  const [named, matched] = await Promise.all([
    searchTexts<{ id: string; n: number }>(db, query, ({ matches, rank, window, bind }) => {
      // The conditions of the reader refer to the first parameters.
      for (const value of readerOf(caller)) bind(value);
      return `with matched as materialized (
          select d.id, ${NAME} as searched_name, d.created_at from documents d
          where ${READABLE} and ${matches(NAME, NAME)} ${window('d.created_at desc, d.id desc')}
        )
        select id, (select count(*) from matched) as n from matched
        order by ${rank('searched_name')}, created_at desc, id desc limit ${bind(limit)}`;
    }),
    db.readWithin(SEARCH_STATEMENT_TIMEOUT_MS, (tx) =>
      searchDocuments(tx, caller, {
        filter: { excluded: toExclusion(query) },
        order: { sortBy: 'createdAt', sortOrder: 'desc' },
        page: { page: 1, limit },
        search: { text: query.text, uploaders: [] },
      }),
    ),
  ]);
  const namedIds = named.rows.map(({ id }) => id);
  if (matched.ids.length === 0) return { ids: namedIds, total: named.total, more: named.more };
  const ids = named.isSimilar ? matched.ids : [...new Set([...namedIds, ...matched.ids])].slice(0, limit);
  return { ids, total: matched.total, more: matched.hasMore };
}

function toExclusion({ excluded }: TextQuery) {
  if (excluded.length === 0) return undefined;
  return { needles: [...excluded], terms: excluded.flatMap((text) => queryTerms(text) ?? []).join(' | ') };
}

function markDescription({ name, description }: DocumentRow, query: TextQuery): Snippet | null {
  return !containsTerms(name, query) && containsTerms(`${name} ${description}`, query)
    ? markTerms(description, query)
    : null;
}

function splitAtMarks({ text, marks }: MarkedExcerpt): Snippet {
  const parts: Snippet = [];
  let at = 0;
  for (const { start, end } of marks) {
    if (start > at) parts.push({ text: text.slice(at, start), match: false });
    parts.push({ text: text.slice(start, end), match: true });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), match: false });
  return parts;
}
