import type { QueryPart } from '@atrium/proto-events/text/message-query';
import { toNeedle } from '@atrium/proto-events/text/message-terms';
import { dateCondition } from '@atrium/service-kit/postgres/search-filters';
import { flagTerm, senderTerm, toAnyKey, toNeedleKeys, toNeedleText } from './search-document.ts';

/** A query whose names have been resolved to ids. */
export type ResolvedQuery = {
  parts: readonly QueryPart[];
  viewerId: string;
  timeZone: string;
  senders: ResolvedIds;
  conversations: ResolvedIds;
};

/** `included` is undefined if the query does not have the operator. */
export type ResolvedIds = { included: string[] | undefined; excluded: string[] };

/** SQL conditions with their values. */
export type SearchConditions = {
  values: unknown[];
  /** On `conversations c` of the viewer. */
  conversation: string;
  /** On `search_entries e`: its time. */
  range: string;
  /** On `search_entries e`. */
  entry: string;
  /** On `messages m`: what may have changed since the message was entered. */
  message: string;
  /** Those that the inverted index can find: of each, the condition on `search_entries e`, and the `tsquery`. */
  indexed: IndexedCondition[];
  isSaved: boolean;
  hasOneConversation: boolean;
};

/** `keys` has a placeholder for the conversation. */
export type IndexedCondition = { sql: string; keys: string };

/** Applies to every match: neither deleted nor edited since it was entered. */
const IS_CURRENT = 'm.thread_id is null and m.deleted_at is null and m.edited_at is not distinct from e.edited_at';

export function buildConditions(query: ResolvedQuery): SearchConditions {
  const values: unknown[] = [query.viewerId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const { included, excluded } = query.conversations;
  const conditions = query.parts.flatMap((part) => toConditions(part, query, bind));
  const of = (on: Condition['on']) => conditions.filter((condition) => condition.on === on).map(({ sql }) => sql);
  const senders = toSenderConditions(query.senders, bind);
  return {
    conversation: and([
      ...(included ? [`c.conversation_id = any(${bind(included)})`] : []),
      ...(excluded.length > 0 ? [`c.conversation_id <> all(${bind(excluded)})`] : []),
    ]),
    range: and(of('range')),
    entry: and([...of('entry'), ...senders.map(({ sql }) => sql)]),
    message: and([IS_CURRENT, ...of('message')]),
    indexed: [...conditions, ...senders].flatMap(({ on, sql, keys }) =>
      keys && on === 'entry' ? [{ sql, keys }] : [],
    ),
    isSaved: query.parts.some((part) => part.kind === 'is' && part.value === 'saved' && !part.isExcluded),
    hasOneConversation: included?.length === 1,
    values,
  };
}

const and = (conditions: readonly string[]) => (conditions.length === 0 ? 'true' : conditions.join(' and '));

type Bind = (value: unknown) => string;

function toSenderConditions({ included, excluded }: ResolvedIds, bind: Bind): Condition[] {
  const isBy = (id: string) => `strpos(e.search, ${bind(` ${senderTerm(id)} `)}) > 0`;
  const isByAny = (ids: readonly string[]): Condition => ({
    on: 'entry',
    sql: `(${ids.map(isBy).join(' or ')})`,
    keys: toAnyKey(ids.map(senderTerm)),
  });
  return [
    ...(included ? [isByAny(included)] : []),
    ...excluded.map((id): Condition => ({ on: 'entry', sql: `not ${isBy(id)}` })),
  ];
}

type Condition = { on: 'range' | 'entry' | 'message'; sql: string; keys?: string };

function toConditions(part: QueryPart, query: ResolvedQuery, bind: Bind): Condition[] {
  const not = part.isExcluded ? 'not ' : '';
  switch (part.kind) {
    case 'text': {
      const needle = toNeedle(part);
      if (!needle) return [];
      const sql = `${not}strpos(e.search, ${bind(toNeedleText(needle))}) > 0`;
      return [{ on: 'entry', sql, ...(!part.isExcluded && { keys: toNeedleKeys(needle) }) }];
    }
    case 'before':
    case 'after':
    case 'on':
      return [{ on: 'range', sql: not + dateCondition('e.sent_at', part, { timeZone: query.timeZone, bind }) }];
    case 'has':
    case 'is':
      return toStateConditions(part.value, part.isExcluded);
    default:
      return [];
  }
}

type State = Extract<QueryPart, { kind: 'has' | 'is' }>['value'];

const MESSAGE_STATES: Partial<Record<State, string>> = {
  reaction: 'm.reaction_count > 0',
  thread: '(m.parent_id is not null or m.thread_version > 0)',
  pinned: 'm.pinned_at is not null',
  saved: 'exists (select from saved_messages s where s.user_id = $1 and s.message_id = m.message_id)',
};

function toStateConditions(state: State, isExcluded: boolean): Condition[] {
  const onMessage = MESSAGE_STATES[state];
  const isFlag = state !== 'saved';
  const keys = !isExcluded && isFlag ? { keys: toAnyKey([flagTerm(state)]) } : {};
  const not = isExcluded ? 'not ' : '';
  const flagged = isFlag ? `strpos(e.search, ' ${flagTerm(state)} ') > 0` : 'true';
  if (onMessage === undefined) return [{ on: 'entry', sql: not + flagged, ...keys }];
  // The entry may be of an earlier state, so only the message excludes.
  return [
    { on: 'message', sql: not + onMessage },
    ...(isExcluded || !isFlag ? [] : [{ on: 'entry' as const, sql: flagged, ...keys }]),
  ];
}
