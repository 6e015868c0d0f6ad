import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { ConversationRow } from '../model/conversations/conversation-repository.ts';
import { COLUMNS, type MessageRow } from '../model/messages/message-repository.ts';
import { fromMicroseconds, toMicroseconds } from '../model/messages/microseconds.ts';
import type { SearchConditions } from './search-conditions.ts';
import { NUMBER_PLACEHOLDER, type Period, toPeriod, toQueryOf } from './search-document.ts';

/** A match, with its conversation and its position in the order of results. */
export type FoundRow = MessageRow &
  Pick<ConversationRow, 'type' | 'title'> & {
    visible_id: string;
    position: string;
  };

/** The time in microseconds and the id of a message; results continue after it. */
export type Position = string;

export const periodOfPosition = (position: Position): Period =>
  toPeriod(new Date(Number.parseInt(position, 10) / 1_000));

type Range = { before: Position | undefined; limit: number };

/** The conversations in which the viewer is now. Each statement has its own, so that permissions are as of its results. */
const visible = ({ conversation }: SearchConditions) => `visible as materialized (
  select c.number, c.conversation_id as visible_id, c.type, c.title
  from participants p join conversations c on c.conversation_id = p.conversation_id
  where p.user_id = $1 and ${conversation}
)`;

const ENTRY_COLUMNS = ['e.message_id', 'e.sent_at', 'e.edited_at'];
const NEWEST_FIRST = 'e.sent_at desc, e.message_id desc';
const POSITION = `${toMicroseconds('e.sent_at')} || '-' || e.message_id`;
const MESSAGE_COLUMNS = COLUMNS.split(', ').map((column) => `m.${column}`);

/** One at a time: the planner, which cannot estimate how many entries match, would read all messages of the table. */
const JOIN_MESSAGE = ({ message }: SearchConditions) => `cross join lateral (
  select * from messages m where m.message_id = e.message_id and ${message} offset 0
) m`;

/** Selects the newest of the entries `matched` as JSON. Reads messages only until there are enough. */
const selectFound = (conditions: SearchConditions, limit: string) => `(
  select json_agg(found) from (
    select ${MESSAGE_COLUMNS}, e.visible_id, e.type, e.title, ${POSITION} as position
    from (select * from matched order by sent_at desc, message_id desc) e ${JOIN_MESSAGE(conditions)}
    order by ${NEWEST_FIRST} limit ${limit}
  ) found
)`;

function bindRange({ range }: SearchConditions, { before, limit }: Range, values: unknown[]) {
  const bind = (value: unknown) => `$${values.push(value)}`;
  const [micros, messageId] = before?.split('-') ?? [];
  return {
    isInRange:
      before === undefined
        ? range
        : `${range} and (e.sent_at, e.message_id) < (${fromMicroseconds(bind(micros))}, ${bind(messageId)}::text)`,
    limit: `${bind(limit)}::int`,
  };
}

export type Scan = {
  found: FoundRow[];
  /** Entries that were read and that matched. */
  matched: number;
  /** Entries that were read and that the viewer can see, and how many match each indexed condition. */
  visible: number;
  counts: number[];
  /** Of the last entry that was read. Null if there are no more. */
  end: Position | null;
  /** Of the oldest entry. */
  oldestPeriod: Period | null;
};

/**
 * Reads a number of the newest entries, of which the viewer may see few. Keeps few columns of them, because PostgreSQL
 * writes large results of a part of a statement to a file.
 */
export async function scanNewest(
  db: Queryable,
  conditions: SearchConditions,
  { count, ...range }: Range & { count: number },
): Promise<Scan> {
  const values = [...conditions.values];
  const { isInRange, limit } = bindRange(conditions, range, values);
  // Uses the index of the conversation.
  const ofOne = conditions.hasOneConversation ? 'and e.number = (select number from visible)' : '';
  const newest = `from search_entries e where ${isInRange} ${ofOne} order by ${NEWEST_FIRST}`;
  const countOf = `$${values.push(count)}::int`;
  const areIndexed = conditions.indexed.map(({ sql }, index) => `${sql} as is_${index}`);
  const counts = ['count(*)', ...conditions.indexed.map((_, index) => `count(*) filter (where is_${index})`)];
  const { rows } = await db.query<Omit<Scan, 'found' | 'visible'> & { found: FoundRow[] | null }>(
    `with ${visible(conditions)}, seen as materialized (
       select ${[...ENTRY_COLUMNS, 'e.number', `${conditions.entry} as is_match`, ...areIndexed]}
       from (select * ${newest} limit ${countOf}) e where e.number in (select number from visible)
     ), matched as materialized (
       select e.*, v.visible_id, v.type, v.title from seen e join visible v on v.number = e.number where e.is_match
     )
     select ${selectFound(conditions, limit)} as found, (select count(*) from matched) as matched,
       (select json_build_array(${counts}) from seen) as counts,
       (select ${POSITION} ${newest} offset ${countOf} - 1 limit 1) as end,
       (select search_period(min(e.sent_at)) from search_entries e where ${isInRange}) as "oldestPeriod"`,
    values,
  );
  const [row] = rows;
  const [visibleCount = 0, ...counted] = row?.counts ?? [];
  const nothing = { matched: 0, end: null, oldestPeriod: null };
  return { ...nothing, ...row, visible: visibleCount, counts: counted, found: row?.found ?? [] };
}

type Matches = { found: FoundRow[]; total: number };

/**
 * Selects the entries of conversation `v` that match, by the inverted index alone: the planner would intersect it with all
 * entries of the time.
 */
const byKeys = ({ entry }: SearchConditions, isInRange: string, keys: string) => `select ${ENTRY_COLUMNS} from (
    select * from search_entries e
    where search_keys(e.number, e.sent_at, e.search) @@ replace(${keys}, '${NUMBER_PLACEHOLDER}', v.number::text)::tsquery
    offset 0
  ) e where ${isInRange} and ${entry} offset 0`;

/** Selects the newest entries of conversation `v` that match, for queries without words. */
const byConversation = (conditions: SearchConditions, isInRange: string, limit: string) => `select ${ENTRY_COLUMNS}
  from search_entries e ${JOIN_MESSAGE(conditions)}
  where e.number = v.number and ${isInRange} and ${conditions.entry}
  order by ${NEWEST_FIRST} limit ${limit}`;

/** Selects what the viewer has saved in conversation `v`. */
const bySaved = ({ entry }: SearchConditions, isInRange: string) => `select ${ENTRY_COLUMNS}
  from saved_messages s join search_entries e on e.message_id = s.message_id
  where s.user_id = $1 and e.number = v.number and ${isInRange} and ${entry}`;

type IndexQuery = Range & {
  maxCounted: number;
  /** Of the conditions to look up, of which every entry is then compared with all conditions. */
  keys: readonly string[];
  /** In which to look them up. */
  periods: readonly Period[];
};

/** Reads all matches from indexes, without reading other entries. Counts up to `maxCounted`. */
export async function findIndexed(
  db: Queryable,
  conditions: SearchConditions,
  { maxCounted, keys, periods, ...range }: IndexQuery,
): Promise<Matches> {
  const values = [...conditions.values];
  const { isInRange, limit } = bindRange(conditions, range, values);
  const select = () => {
    if (conditions.isSaved) return bySaved(conditions, isInRange);
    if (keys.length === 0) return byConversation(conditions, isInRange, limit);
    return byKeys(conditions, isInRange, `$${values.push(toQueryOf(periods, keys))}::text`);
  };
  const { rows } = await db.query<{ found: FoundRow[] | null; total: number }>(
    `with ${visible(conditions)}, matched as materialized (
       select e.*, v.visible_id, v.type, v.title from visible v cross join lateral (${select()}) e
     )
     select ${selectFound(conditions, limit)} as found,
       (select count(*) from (select from matched limit $${values.push(maxCounted)}::int) as counted) as total`,
    values,
  );
  return { found: rows[0]?.found ?? [], total: rows[0]?.total ?? 0 };
}
