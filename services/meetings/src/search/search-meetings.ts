import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { searchMeetings as contract, FoundMeeting } from '@atrium/proto-events/http/search/meetings';
import { containsTerms, markTerms, parseTextQuery, type TextQuery } from '@atrium/proto-events/text/text-query';
import { createFilterNames } from '@atrium/service-kit/directory/find-by-names';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { COUNT_LIMIT } from '@atrium/service-kit/postgres/find-page';
import { createFilter } from '@atrium/service-kit/postgres/search-filters';
import { searchTexts, type TextConditions } from '@atrium/service-kit/postgres/text-search';
import type { Deps } from '../deps.ts';

/** The title at the beginning of `search`. Must match the index `meetings_by_similar_title`. */
const TITLE = 'left(m.search, char_length(m.title) + 1)';
/** Meetings that are read, of which those of a series are one result. */
const MAX_MEETINGS = 5_000;
const RESULT_ID = 'coalesce(m.series_id, m.id)';
const DISTANCE = 'abs(extract(epoch from m.starts_at - now()))';

/** Of `from:`, the organizer. */
const COLUMNS = { user: 'm.organizer_id', project: 'm.project_id', time: 'm.starts_at' };

type Options = { signal: AbortSignal };
type Query = RequestOf<typeof contract>['query'];
type Row = {
  id: string;
  series_id: string | null;
  title: string;
  texts: string;
  starts_at: Date;
  ends_at: Date;
  n: number;
};

/** Searches meetings and their minutes, as of the invitations at the time of the statement. */
export async function searchMeetings(deps: Deps, caller: Caller, { q, limit, timezone, signal }: Query & Options) {
  const query = parseTextQuery(q);
  const names = createFilterNames(deps, { userId: caller.userId, timezone });
  const { rows, isSimilar, ...found } = await searchTexts<Row>(
    deps.db,
    { query, filter: createFilter(query?.filters ?? [], COLUMNS, names), signal },
    (conditions) => selectMeetings(conditions, caller, { limit, isListed: query?.needles.length === 0 }),
  );
  const data = query ? rows.map((row) => presentFound(row, query, isSimilar)) : [];
  return { data, ...found };
}

/** `isListed`: by operators alone, those that are closest to now. */
type Selection = { limit: number; isListed: boolean };

/** Of a series, selects the matching meeting that is closest to now. */
function selectMeetings(
  { matches, filters, rank, bind }: TextConditions,
  { userId, role }: Caller,
  { limit, isListed }: Selection,
): string {
  const isVisible = (meetingId: string) =>
    role === 'admin'
      ? 'true'
      : `exists (select from participants v where v.meeting_id = ${meetingId} and v.user_id = ${bind(userId)})`;
  return `with matched as materialized (
      select m.id, m.series_id, m.starts_at, ${TITLE} as searched_title from meetings m
      where ${isVisible('m.id')} and ${filters()} and ((${matches('m.search', TITLE)}) or m.id = any(array(
        select d.meeting_id from decisions d where ${isVisible('d.meeting_id')} and ${matches('d.search')} limit ${MAX_MEETINGS}
      ))) ${isListed ? `order by ${DISTANCE}` : ''} limit ${MAX_MEETINGS}
    ), results as (
      select distinct on (${RESULT_ID}) *, ${DISTANCE} as distance from matched m
      order by ${RESULT_ID}, ${DISTANCE}
    ), best as (
      select * from results order by ${rank('searched_title', 'distance, id')} limit ${bind(limit)}
    )
    select m.id, m.series_id, m.title, m.starts_at, m.ends_at,
      concat_ws(' ', m.description, m.agenda, m.notes, m.summary,
        (select string_agg(d.text, ' ' order by d.position) from decisions d where d.meeting_id = m.id)) as texts,
      (select case when count(*) = ${MAX_MEETINGS} then ${COUNT_LIMIT} else count(distinct ${RESULT_ID}) end from matched m) as n
    from best b join meetings m on m.id = b.id order by ${rank('b.searched_title', 'b.distance, b.id')}`;
}

function presentFound(row: Row, query: TextQuery, isSimilar: boolean): FoundMeeting {
  return {
    _id: row.id,
    title: markTerms(row.title, query),
    snippet: isSimilar || containsTerms(row.title, query) ? null : markTerms(row.texts, query),
    startTime: row.starts_at.toISOString(),
    endTime: row.ends_at.toISOString(),
    isRecurring: row.series_id !== null,
  };
}
