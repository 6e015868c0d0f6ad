import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { Snippet as MarkedExcerpt } from '@atrium/proto-events/http/documents';
import type { Snippet } from '@atrium/proto-events/http/found';
import type { searchDocuments as contract, FoundDocument } from '@atrium/proto-events/http/search/documents';
import { containsTerms, markTerms, parseTextQuery, type TextQuery } from '@atrium/proto-events/text/text-query';
import { createFilterNames } from '@atrium/service-kit/directory/find-by-names';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { createFilter, type SearchFilter } from '@atrium/service-kit/postgres/search-filters';
import { SEARCH_STATEMENT_TIMEOUT_MS, searchTexts } from '@atrium/service-kit/postgres/text-search';
import type { Deps } from '../deps.ts';
import { type DocumentRow, listReadable } from '../documents/document-repository.ts';
import { READABLE, readerOf } from '../documents/visibility.ts';
import { queryTerms } from '../text-index/terms.ts';
import { countDocuments, listFiltered, type SearchListing, searchDocuments } from './find-documents.ts';
import type { DocumentMatches } from './list-statements.ts';
import { findExcerpts, makeSnippet } from './snippets.ts';

/** The name at the beginning of `search`. Must match the index `documents_by_similar_name`. */
const NAME = 'left(d.search, char_length(d.name) + 1)';

/** Of the newest documents: a word that is too common to read all matches is found often enough among them. */
const MIN_SCANNED_ROWS = 1_000;
const COLUMNS = { user: 'd.uploaded_by', project: 'd.project_id', time: 'd.created_at' };

type Options = { signal: AbortSignal };
type Query = RequestOf<typeof contract>['query'];

/** Searches the names, descriptions, tags, and texts of documents: names that match come first. Operators alone list the newest. */
export async function searchEverywhere(deps: Deps, caller: Caller, { q, limit, timezone, signal }: Query & Options) {
  const query = parseTextQuery(q);
  const names = createFilterNames(deps, { userId: caller.userId, timezone });
  const filter = createFilter(query?.filters ?? [], COLUMNS, names);
  if (!query || !filter) return { data: [], total: 0, more: false };
  const { ids, ...found } = await findBestMatches(deps, caller, { query, filter, limit, signal });
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

type Search = Options & { query: TextQuery; filter: SearchFilter; limit: number };

type Found = { ids: string[]; total: number; more: boolean };

/** Names that match come first. Searches other texts only for what the names leave open: further results, or their number. */
async function findBestMatches({ db }: Deps, caller: Caller, search: Search): Promise<Found> {
  const { query, filter, limit, signal } = search;
  const listing: SearchListing = {
    filter: { excluded: toExclusion(query), operators: filter },
    order: { sortBy: 'createdAt', sortOrder: 'desc' },
    page: { page: 1, limit },
    search: { text: query.text, uploaders: [] },
    minScannedRows: MIN_SCANNED_ROWS,
  };
  const read = async (find: FindDocuments): Promise<Found> => {
    const work = (tx: Queryable) => find(tx, caller, listing);
    const { ids, total, hasMore: more } = await db.readWithin(SEARCH_STATEMENT_TIMEOUT_MS, work, signal);
    return { ids, total, more };
  };
  if (query.needles.length === 0) return read(listFiltered);
  const { rows, isSimilar, ...named } = await findNames(db, caller, search);
  const ids = rows.map(({ id }) => id);
  if (named.more && !isSimilar) return { ids, ...named };
  if (!isSimilar && ids.length === limit) return { ...(await read(countDocuments)), ids };
  const found = await read(searchDocuments);
  if (found.ids.length === 0) return { ids, ...named };
  return { ...found, ids: isSimilar ? found.ids : [...new Set([...ids, ...found.ids])].slice(0, limit) };
}

type FindDocuments = (tx: Queryable, caller: Caller, listing: SearchListing) => Promise<DocumentMatches>;

const findNames = (db: Db, caller: Caller, { query, filter, limit, signal }: Search) =>
  searchTexts<{ id: string; n: number }>(db, { query, filter, signal }, ({ matches, filters, rank, window, bind }) => {
    // The conditions of the reader refer to the first parameters.
    for (const value of readerOf(caller)) bind(value);
    return `with matched as materialized (
        select d.id, ${NAME} as searched_name, d.created_at from documents d
        where ${READABLE} and ${matches(NAME, NAME)} and ${filters()} ${window('d.created_at desc, d.id desc')}
      )
      select id, (select count(*) from matched) as n from matched
      order by ${rank('searched_name', 'created_at desc, id desc')} limit ${bind(limit)}`;
  });

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
